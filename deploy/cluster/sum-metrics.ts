/**
 * The metrics of several processes as those of one, in Prometheus' text format: samples with the same name and labels are
 * added up. Good for a look at a small cluster; a gauge that is no amount, an age for instance, says little as a sum.
 */
export function sumMetrics(texts: readonly string[]): string {
  const families = new Map<string, Family>();
  for (const text of texts) {
    let family: Family | undefined;
    for (const line of text.split('\n')) {
      const described = /^# (HELP|TYPE) (\S+) /.exec(line);
      if (described) {
        family = familyOf(families, described[2] as string);
        family.descriptions.set(described[1] as string, line);
      } else if (family && line !== '' && !line.startsWith('#')) {
        addSample(family.samples, line);
      }
    }
  }
  return [...families.values()].map(written).join('\n');
}

interface Family {
  descriptions: Map<string, string>;
  samples: Map<string, number>;
}

function familyOf(families: Map<string, Family>, name: string): Family {
  const known = families.get(name);
  if (known) return known;
  const made = { descriptions: new Map(), samples: new Map() };
  families.set(name, made);
  return made;
}

/** `name{labels} value`; labels may contain blanks, the value does not. */
function addSample(samples: Map<string, number>, line: string): void {
  const blank = line.lastIndexOf(' ');
  const [series, value] = [line.slice(0, blank), Number(line.slice(blank + 1).replace('Inf', 'Infinity'))];
  if (!Number.isNaN(value)) samples.set(series, (samples.get(series) ?? 0) + value);
}

function written({ descriptions, samples }: Family): string {
  const lines = [...samples].map(([series, value]) => `${series} ${String(value).replace('Infinity', 'Inf')}`);
  return `${[...descriptions.values(), ...lines].join('\n')}\n`;
}
