import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';

import { reservePort } from '../engines/reserve-port.js';
import { sumMetrics } from './sum-metrics.js';

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

/** One address for a look at all processes: a probe is good when every process says so, and metrics are sums over them. */
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
