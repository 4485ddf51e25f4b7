import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Contender, startContender } from './contenders.js';
import { uploadsPerSecond } from './load.js';
import { type Figure, median } from './report.js';
import { sampleUpload } from './samples.js';

const uploads = 10_000;
const linesPerBatch = 2000;
const connections = 32;
const rounds = 5;
const singleSeconds = 3;

/** The same uploads in batches, one after the other, and singly at 32 connections. The two take turns on one server. */
export async function benchBatch(): Promise<Figure[]> {
  const server = await startContender({ WHETSTONE_ANALYSER_CONCURRENCY: '0' });
  try {
    const batches = { rates: [] as number[], cpu: [] as number[] };
    const singles = { rates: [] as number[], cpu: [] as number[] };
    const waits: number[] = [];
    await sendBatches(server, batchesOf(linesPerBatch));
    await sendSingles(server);
    for (let round = 0; round < rounds; round++) {
      const single = await sendSingles(server);
      const bodies = batchesOf(uploads);
      const idle = watchAnswers(server);
      const batch = await sendBatches(server, bodies);
      waits.push(...(await idle.stop()));
      singles.rates.push(single.rate);
      singles.cpu.push(single.cpuMs);
      batches.rates.push(batch.rate);
      batches.cpu.push(batch.cpuMs);
    }
    const ratios = batches.rates.map((rate, round) => rate / (singles.rates[round] as number));
    return [
      {
        name: `${uploads} uploads in batches of ${linesPerBatch}, against single ones`,
        value: median(batches.rates),
        baseline: median(singles.rates),
        ratio: median(ratios),
        unit: 'uploads/s',
        goal: '≥ 3×',
      },
      {
        name: 'CPU of the server for an upload in a batch',
        value: median(batches.cpu),
        baseline: median(singles.cpu),
        unit: 'ms',
      },
      { name: 'GET / meanwhile, median', value: median(waits), unit: 'ms' },
      { name: 'GET / meanwhile, slowest', value: Math.max(...waits), unit: 'ms' },
    ];
  } finally {
    await server.end();
  }
}

interface Measured {
  /** Uploads per second. */
  rate: number;
  /** Of the server, for one upload. */
  cpuMs: number;
}

async function sendSingles({ url, key, pid }: Contender): Promise<Measured> {
  const before = cpuMsOf(pid);
  const rate = await uploadsPerSecond({ url, key, connections, seconds: singleSeconds });
  return { rate, cpuMs: (cpuMsOf(pid) - before) / (rate * singleSeconds) };
}

function batchesOf(count: number): string[] {
  const first = randomInt(100_000_000);
  return Array.from({ length: count / linesPerBatch }, (_, batch) =>
    Array.from({ length: linesPerBatch }, (__, line) => sampleUpload(first + batch * linesPerBatch + line)).join('\n'),
  );
}

async function sendBatches({ url, key, pid }: Contender, bodies: string[]): Promise<Measured> {
  const count = bodies.length * linesPerBatch;
  const headers = { 'x-api-key': key, 'content-type': 'application/x-ndjson' };
  const cpu = cpuMsOf(pid);
  const began = performance.now();
  for (const body of bodies) {
    const answer = await fetch(`${url}/store_knowledge/batch`, { method: 'POST', headers, body });
    const { accepted } = (await answer.json()) as { accepted: number };
    if (accepted !== linesPerBatch) throw new Error(`${answer.status}: ${accepted} of ${linesPerBatch} accepted`);
  }
  return { rate: (count * 1000) / (performance.now() - began), cpuMs: (cpuMsOf(pid) - cpu) / count };
}

/** How long another caller waits, every 10 ms. */
function watchAnswers({ url, key }: Contender) {
  const waits: number[] = [];
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const began = performance.now();
      await (await fetch(url, { headers: { 'x-api-key': key } })).text();
      waits.push(performance.now() - began);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  })();
  return {
    async stop() {
      isOver = true;
      await watching;
      return waits;
    },
  };
}

const ticksPerSecond = 100;

/** User and system time of a process; 0 where there is no /proc. */
function cpuMsOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
  } catch {
    return 0;
  }
}
