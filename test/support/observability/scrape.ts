/** One metric as a process exports it. */
export interface ScrapedMetric {
  type: string;
  help: string;
  /** Of its samples, without those that its type adds (`le`). */
  labels: Set<string>;
}

/** What `/metrics` says, by the metrics' names. */
export function parseScrape(text: string): Map<string, ScrapedMetric> {
  const metrics = new Map<string, ScrapedMetric>();
  const known = (name: string) => {
    const metric = metrics.get(name) ?? { type: '', help: '', labels: new Set<string>() };
    metrics.set(name, metric);
    return metric;
  };
  let current: ScrapedMetric | undefined;
  for (const line of text.split('\n')) {
    const described = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line);
    if (described) {
      const [, what, name, value] = described as unknown as [string, string, string, string];
      current = known(name);
      if (what === 'TYPE') current.type = value;
      else current.help = value;
    } else if (line !== '') {
      for (const label of labelNamesOf(line)) if (label !== 'le') current?.labels.add(label);
    }
  }
  return metrics;
}

export async function scrape(opsUrl: string): Promise<Map<string, ScrapedMetric>> {
  return parseScrape(await (await fetch(`${opsUrl}/metrics`)).text());
}

/** Values may hold anything, braces and commas too, so they are taken out first. */
function labelNamesOf(sample: string): string[] {
  const withoutValues = sample.replace(/"(?:[^"\\]|\\.)*"/g, '');
  const labels = /\{(.*)\}/.exec(withoutValues)?.[1] ?? '';
  return labels.split(',').flatMap((pair) => (pair.includes('=') ? [pair.slice(0, pair.indexOf('=')).trim()] : []));
}
