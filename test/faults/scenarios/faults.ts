import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

import { eventually } from '../../support/eventually.js';
import type { Caller } from '../clients/caller.js';
import { harms } from '../planted/harms.js';
import type { Supervised } from '../systems/supervise.js';
import type { Stage } from './run-scenario.js';

/** The process dies in the middle of work, several times, each time after it has done some. */
export async function killAgainAndAgain({ load, random }: Stage, process: Supervised, times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    await load.more(10);
    await sleep(random.below(400));
    await process.kill();
  }
}

/** The process lives and does nothing for a while, then goes on as if nothing had been. */
export async function pause({ load }: Stage, process: Supervised, forMs: number): Promise<void> {
  await load.more(10);
  process.pause();
  try {
    await sleep(forMs);
  } finally {
    process.resume();
  }
}

/** Uploads that hang, kill or end what analyses them, among those of everybody. */
export async function harmAnalysis({ load, random }: Stage): Promise<void> {
  for (const harm of harms) {
    const caller = random.pick(load.callers) as Caller;
    await load.upload(caller, { place: random.pick(load.placesOf(caller)), topic: 'logs', harm });
  }
}

/** What no gateway writes: bytes that are no message, no upload, or an upload that is cut off. */
const poisons: readonly Uint8Array[] = [
  Buffer.from([]),
  Buffer.from([0x1f, 0x8b, 0x08, 0xff, 0xff]),
  Buffer.from('{"jobId":"job_'),
  Buffer.from('null'),
  Buffer.from(JSON.stringify({ jobId: 'job_1', interaction: { query: 7 } })),
  gzipSync(JSON.stringify({ turns: 'no' })),
  gzipSync(Buffer.alloc(100 * 1024 * 1024)),
];

/** Poison in every partition, which has to end up among the dead letters. */
export async function poison({ system }: Stage): Promise<void> {
  const written = await system.poisonUploads(poisons);
  const buried = async () => {
    const letters = await system.deadLetters();
    return letters.filter((reason) => reason === 'unreadable_message').length >= written || undefined;
  };
  await eventually(buried, { what: 'all poison is among the dead letters', withinMs: 300_000, everyMs: 1000 });
}

/** Everything is delivered again, from the very beginning of the log. */
export async function rewind({ system, load }: Stage): Promise<void> {
  await load.more(10);
  await system.rewind();
}

/** One process after another is stopped in order and started anew. */
export async function rollOut({ system }: Stage): Promise<void> {
  for (const process of system.processes) await process.restart();
}
