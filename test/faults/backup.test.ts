import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { inheritedEnvironment } from '../support/product.js';
import { createRandomness } from '../support/randomness.js';
import { type WhetstoneCommand, whetstoneCommand } from '../support/whetstone-command.js';
import { checkPromises } from './checker/check-promises.js';
import { type Caller, createCaller } from './clients/caller.js';
import { createHistory } from './clients/history.js';
import { type Load, startLoad } from './clients/start-load.js';
import type { Evidence, Moment, Place } from './evidence.js';
import { extent, isFull } from './extent.js';
import { gatherEvidence } from './gather-evidence.js';
import { openMembers } from './open-members.js';
import { startStandaloneSystem } from './systems/start-standalone-system.js';
import type { Supervised } from './systems/supervise.js';
import type { System } from './systems/system.js';

const random = createRandomness();
const rounds = isFull ? 6 : 1;
let folder: string;
let data: string;
let system: System;
let server: Supervised;
let whetstone: WhetstoneCommand;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whetstone-drill-'));
  data = join(folder, 'data');
  system = await startStandaloneSystem({ folder, env: { WHETSTONE_RATE_LIMIT_PER_SECOND: '0' } });
  [server] = system.processes as [Supervised];
  whetstone = whetstoneCommand({ ...(inheritedEnvironment() as Record<string, string>), WHETSTONE_DATA: data });
});

afterAll(async () => {
  await system?.stop();
  await rm(folder, { recursive: true, force: true });
});

it('backed up under load, killed and restored: nothing acknowledged before is lost, nothing is doubled, and keys work', async () => {
  const members = await openMembers(system, 3);
  const history = createHistory();
  const callers = members.map((member) => createCaller({ member, history, address: () => system.front }));
  const load = startLoad({ history, random, callers, paceMs: extent.paceMs });
  const undone: Span[] = [];
  try {
    await load.more(20);
    for (let round = 0; round < rounds; round++) undone.push(await loseAndRestore(load, round));
    await load.more(10);
  } finally {
    await load.stop();
  }

  const { uploads } = history;
  const promised = uploads.filter(({ jobIds, ...upload }) => jobIds.length > 0 && !touches(undone, upload));
  const evidence = await gatherEvidence({
    system,
    history: { ...history, uploads: promised },
    callers,
    endWithinMs: 300_000,
  });

  process.stdout.write(`${rounds} restores: ${uploads.length} uploads, ${promised.length} of them promised\n`);
  expect(promised.length).toBeGreaterThan(10 * rounds);
  expect(checkPromises(withoutUndone(evidence, undone))).toEqual([]);
  expect(checkPromises({ ...evidence, uploads }).filter(({ kind }) => kind === 'doubled')).toEqual([]);
}, 900_000);

/** Resolves with the time that the restore took back. */
async function loseAndRestore(load: Load, round: number): Promise<Span> {
  const backup = join(folder, `backup-${round}`);
  await load.more(5);
  await sleep(random.below(300));
  const { created_at } = await uploading(load, () => whetstone.ask<{ created_at: string }>('backup', '--to', backup));
  await load.more(5);
  const refused = await whetstone.run('restore', '--from', backup, '--replace');
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('A server is running') });

  const killed = server.kill();
  await server.hold();
  await killed;
  await rename(data, join(folder, `lost-${round}`));
  await whetstone.ask('restore', '--from', backup);
  await server.restart();
  return { begunAt: Date.parse(created_at), endedAt: Date.now() };
}

/** Uploads without a pause while the work goes on, so that jobs are in every state. */
async function uploading<Result>(load: Load, work: () => Promise<Result>): Promise<Result> {
  let done = false;
  const keepOn = async () => {
    while (!done) {
      const caller = random.pick(load.callers) as Caller;
      await load.upload(caller, { place: random.pick(load.placesOf(caller)) as Place, topic: 'archive' });
    }
  };
  const clients = Array.from({ length: 4 }, keepOn);
  try {
    return await work();
  } finally {
    done = true;
    await Promise.all(clients);
  }
}

interface Span {
  begunAt: Moment;
  endedAt: Moment;
}

function touches(spans: readonly Span[], { begunAt, endedAt }: Span): boolean {
  return spans.some((span) => begunAt <= span.endedAt && endedAt >= span.begunAt);
}

/** What was seen or deleted in the meantime was taken back: a deletion may have counted or not. */
function withoutUndone(evidence: Evidence, undone: readonly Span[]): Evidence {
  return {
    ...evidence,
    sightings: evidence.sightings.filter((sighting) => !touches(undone, sighting)),
    deletions: evidence.deletions.map((deletion) =>
      touches(undone, deletion) ? { ...deletion, done: false } : deletion,
    ),
  };
}
