import { randomInt } from 'node:crypto';
import { Agent, type IncomingMessage, request } from 'node:http';

import autocannon from 'autocannon';

import { sampleUpload } from './samples.js';

export interface Asker {
  /** Resolves with the body of the answer; rejects unless that is a 200. */
  send(method: string, path: string, body?: object): Promise<unknown>;
  enhance(text: string, tenant?: string): Promise<void>;
  close(): void;
}

/** Over one keep-alive connection, like an agent's harness; `fetch` would add half a millisecond. */
export function createAsker(url: string, key: string): Asker {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });

  async function send(method: string, path: string, given?: object): Promise<unknown> {
    const body = given === undefined ? '' : JSON.stringify(given);
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'x-api-key': key,
      };
      request(`${url}${path}`, { method, agent, headers }, resolve).on('error', reject).end(body);
    });
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk as Buffer);
    if (answer.statusCode !== 200)
      throw new Error(`${method} ${path} answered ${answer.statusCode}: ${Buffer.concat(chunks)}`);
    return JSON.parse(Buffer.concat(chunks).toString());
  }

  return {
    send,
    async enhance(text, tenant = 'bench') {
      await send('POST', '/enhance_task', { tenant_id: tenant, input_text: text });
    },
    close: () => agent.destroy(),
  };
}

export interface Uploading {
  url: string;
  key: string;
  connections: number;
  seconds: number;
}

/** Uploads five-turn runs of 4 KB, each of another task, over open connections; returns the accepted uploads per second. */
export async function uploadsPerSecond({ url, key, connections, seconds }: Uploading): Promise<number> {
  let number = randomInt(100_000_000);
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    requests: [
      {
        method: 'POST',
        path: '/store_knowledge',
        headers: { 'content-type': 'application/json', 'x-api-key': key },
        setupRequest: (request) => ({ ...request, body: sampleUpload(number++) }),
      },
    ],
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${result.non2xx} answers were no 2xx, ${result.errors} requests failed`);
  }
  return result['2xx'] / result.duration;
}

/** Measures two ways to handle the same text right after each other, so that other load affects both alike. */
export async function takeTurns(
  measured: (text: string) => Promise<unknown>,
  baseline: (text: string) => Promise<unknown>,
  texts: string[],
): Promise<{ measuredMs: number[]; baselineMs: number[] }> {
  const measuredMs: number[] = [];
  const baselineMs: number[] = [];
  for (const text of texts) {
    baselineMs.push(await timed(() => baseline(text)));
    measuredMs.push(await timed(() => measured(text)));
  }
  return { measuredMs, baselineMs };
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
