import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createRandomness } from '../support/randomness.js';
import type { Member } from './clients/caller.js';
import { extent, isFull, seriesOf } from './extent.js';
import { openMembers } from './open-members.js';
import { preload } from './planted/preload.js';
import { takeTurns } from './scenarios/fair-turns.js';
import { harmAnalysis, killAgainAndAgain, pause, poison, revokeKey, rewind, rollOut } from './scenarios/faults.js';
import { type Fault, runScenario } from './scenarios/run-scenario.js';
import { sendTraces } from './scenarios/send-traces.js';
import { startStandaloneSystem } from './systems/start-standalone-system.js';
import type { Supervised } from './systems/supervise.js';
import type { System } from './systems/system.js';

const random = createRandomness();
const timeoutMs = (isFull ? 30 : 8) * 60_000;
let folder: string;
let system: System;
let members: Member[];
let server: Supervised;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whetstone-faults-'));
  const env = {
    ...preload('misbehaving-analysis'),
    WHETSTONE_RATE_LIMIT_PER_SECOND: '0',
    WHETSTONE_WORK_LIMIT_BYTES_PER_SECOND: '0',
    ...extent.analysis,
  };
  system = await startStandaloneSystem({ folder, env });
  [server] = system.processes as [Supervised];
  members = await openMembers(system, 3);
});

afterAll(async () => {
  await system.stop();
  await rm(folder, { recursive: true, force: true });
});

const always: Fault[] = [
  { title: 'kill −9 in the middle of work', strike: (stage) => killAgainAndAgain(stage, server, extent.kills) },
  { title: 'uploads that hang or kill their analysis', strike: harmAnalysis },
  { title: 'poison in every partition', strike: poison },
  { title: 'everything delivered again from the beginning of the log', strike: rewind },
];
const atLength: Fault[] = [
  { title: 'SIGSTOP in the middle of work', strike: (stage) => pause(stage, server, extent.pauseMs) },
  { title: 'a restart in order under load', strike: rollOut },
  { title: 'a key revoked under load', strike: revokeKey },
];

it.each(seriesOf(always, atLength))(
  '%s: nothing is lost or doubled, every job ends, nobody sees another, and it answers again',
  async (_, faults) => {
    expect(await runScenario({ faults, system, members, random, paceMs: extent.paceMs })).toEqual([]);
  },
  timeoutMs,
);

it(
  'traces in random pieces become one whole run each, whoever is killed meanwhile',
  async () => {
    const [member] = await openMembers(system, 1);
    const strike = () => server.kill();

    expect(await sendTraces(system, member as Member, { ...extent.traces, random, strike })).toEqual([]);
  },
  timeoutMs,
);

if (isFull) {
  it(
    'an account with a hundred times the uploads of others does not keep them waiting for long',
    async () => {
      const { meanwhile, of } = await takeTurns(system, members);

      expect(meanwhile).toBeLessThan(of / 4);
    },
    timeoutMs,
  );
}
