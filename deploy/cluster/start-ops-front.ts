import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';

import { reservePort } from '../engines/reserve-port.js';

export interface Observed {
  name: string;
  opsUrl: string;
}

export interface OpsFront {
  readonly url: string;
  stop(): Promise<void>;
}

const withinMs = 30_000;
const probes = ['/livez', '/readyz', '/startupz'];

/** One address for the probes and metrics of all processes: a probe succeeds if all succeed, and metrics are added up. */
export async function startOpsFront(observed: readonly Observed[]): Promise<OpsFront> {
  const { port, release } = await reservePort();
  const server = createServer((request, answer) => {
    const path = request.url ?? '';
    if (request.method !== 'GET' || ![...probes, '/metrics'].includes(path)) return end(answer, 404, 'not found');
    const asked = observed.map(async ({ name, opsUrl }) => ({ name, ...(await ask(`${opsUrl}${path}`)) }));
    void Promise.all(asked).then((answers) => {
      if (path === '/metrics') return end(answer, 200, sumMetrics(answers.map(({ text }) => text)));
      const all = answers.every(({ ok }) => ok);
      const services = Object.fromEntries(answers.map(({ name, ok, text }) => [name, { ok, says: parsed(text) }]));
      return end(answer, all ? 200 : 503, JSON.stringify({ services }));
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      release();
    },
  };
}

function ask(url: string): Promise<{ ok: boolean; text: string }> {
  return fetch(url, { signal: AbortSignal.timeout(withinMs) }).then(
    async (answer) => ({ ok: answer.ok, text: await answer.text() }),
    () => ({ ok: false, text: '' }),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function end(answer: ServerResponse, status: number, text: string): void {
  answer.statusCode = status;
  answer.setHeader('content-type', text.startsWith('{') ? 'application/json' : 'text/plain; charset=utf-8');
  answer.end(text);
}

/**
 * Adds up samples with the same name and labels, in Prometheus' text format. Sums of gauges that are not amounts, ages for
 * example, mean little.
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

/** `name{labels} value`; labels may contain spaces. */
function addSample(samples: Map<string, number>, line: string): void {
  const blank = line.lastIndexOf(' ');
  const [series, value] = [line.slice(0, blank), Number(line.slice(blank + 1).replace('Inf', 'Infinity'))];
  if (!Number.isNaN(value)) samples.set(series, (samples.get(series) ?? 0) + value);
}

function written({ descriptions, samples }: Family): string {
  const lines = [...samples].map(([series, value]) => `${series} ${String(value).replace('Infinity', 'Inf')}`);
  return `${[...descriptions.values(), ...lines].join('\n')}\n`;
}
