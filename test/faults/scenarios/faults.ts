import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

import { eventually } from '../../support/eventually.js';
import { type Caller, createCaller } from '../clients/caller.js';
import { createUploading } from '../clients/requests.js';
import type { Place } from '../evidence.js';
import { harms } from '../planted/harms.js';
import type { SmallDisk } from '../systems/small-disk.js';
import type { Supervised } from '../systems/supervise.js';
import type { Stage } from './run-scenario.js';

/** Kills the process several times under load. */
export async function killAgainAndAgain({ load, random }: Stage, process: Supervised, times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    await load.more(10);
    await sleep(random.below(400));
    await process.kill();
  }
}

/** Stops the process for a while with SIGSTOP. */
export async function pause({ load }: Stage, process: Supervised, forMs: number): Promise<void> {
  await load.more(10);
  process.pause();
  try {
    await sleep(forMs);
  } finally {
    process.resume();
  }
}

/** Uploads that hang, crash or end their analysis. */
export async function harmAnalysis({ load, random }: Stage): Promise<void> {
  for (const harm of harms) {
    const caller = random.pick(load.callers) as Caller;
    await load.upload(caller, { place: random.pick(load.placesOf(caller)), topic: 'logs', harm });
  }
}

/** What no gateway writes: bytes that are not a message, not an upload, or a truncated upload. */
const poisons: readonly Uint8Array[] = [
  Buffer.from([]),
  Buffer.from([0x1f, 0x8b, 0x08, 0xff, 0xff]),
  Buffer.from('{"jobId":"job_'),
  Buffer.from('null'),
  Buffer.from(JSON.stringify({ jobId: 'job_1', interaction: { query: 7 } })),
  gzipSync(JSON.stringify({ turns: 'no' })),
  gzipSync(Buffer.alloc(100 * 1024 * 1024)),
];

/** Poison in every partition, which must become dead letters. */
export async function poison({ system }: Stage): Promise<void> {
  const written = await system.poisonUploads(poisons);
  const buried = async () => {
    const letters = await system.deadLetters();
    return letters.filter((reason) => reason === 'unreadable_message').length >= written || undefined;
  };
  await eventually(buried, { what: 'all poison is among the dead letters', withinMs: 300_000, everyMs: 1000 });
}

/** Redelivers everything from the beginning of the log. */
export async function rewind({ system, load }: Stage): Promise<void> {
  await load.more(10);
  await system.rewind();
}

/** Restarts one process after another in order. */
export async function rollOut({ system }: Stage): Promise<void> {
  for (const process of system.processes) await process.restart();
}

/** Fills the disk for a while. */
export async function fillDisk({ load }: Stage, disk: SmallDisk, forMs: number): Promise<void> {
  const refused = () => load.history.answers.get('store_knowledge 500') ?? 0;
  await load.more(10);
  await disk.fill();
  try {
    await eventually(() => refused() > 0 || undefined, { what: 'uploads are refused on a full disk' });
    await sleep(forMs);
  } finally {
    await disk.free();
  }
}

/** Revokes the second key of an account under load. Every gateway must reject it from then on. */
export async function revokeKey({ system, load, random }: Stage): Promise<void> {
  const { history } = load;
  const owner = random.pick(load.callers) as Caller;
  const { key, keyId } = await system.operator.issueKey(owner.account);
  const address = () => random.pick(system.gateways);
  const caller = createCaller({ member: { ...owner, key }, history, address });
  // Until every gateway knows the key, a 401 is correct too.
  caller.expectRefusal();
  const place = load.placesOf(owner)[0] as Place;
  const uploadTo = async (gateway: string) => {
    const uploading = createUploading(history, { place, topic: 'archive' });
    return uploading.send(caller, gateway);
  };
  for (const gateway of system.gateways) {
    await eventually(async () => (await uploadTo(gateway)) || undefined, { what: `a new key counts at ${gateway}` });
  }
  const uploading = Array.from({ length: 20 }, () => uploadTo(address()));

  await system.operator.revokeKey(keyId);
  const revokedAt = performance.now();
  await Promise.all(uploading);
  for (const gateway of system.gateways) {
    const refused = async () => (await uploadTo(gateway)) === false || undefined;
    await eventually(refused, { what: `a revoked key is refused at ${gateway}` });
  }
  process.stdout.write(`Refused everywhere ${(performance.now() - revokedAt).toFixed(0)} ms after the command\n`);
  for (let time = 0; time < 20; time++) {
    if (await uploadTo(address())) history.oddities.push('a key that had been refused was accepted again');
  }
}
