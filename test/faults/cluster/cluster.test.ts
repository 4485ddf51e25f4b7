import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type ServiceName, serviceNames } from '@whetstone/dev';

import { createRandomness } from '../../support/randomness.js';
import type { Member } from '../clients/caller.js';
import { extent, isFull } from '../extent.js';
import { openMembers } from '../open-members.js';
import { preload } from '../planted/preload.js';
import { breakBroker, breakVectorStore, killBroker } from '../scenarios/engine-faults.js';
import { takeTurns } from '../scenarios/fair-turns.js';
import { harmAnalysis, killAgainAndAgain, pause, poison, rewind, rollOut } from '../scenarios/faults.js';
import { revokeKey } from '../scenarios/revoke-key.js';
import { runScenario, type Stage } from '../scenarios/run-scenario.js';
import { type ClusterSystem, startClusterSystem } from '../systems/start-cluster-system.js';
import type { Supervised } from '../systems/supervise.js';

const random = createRandomness();
const timeoutMs = 15 * 60_000;
const storeTimeoutMs = 5000;
let folder: string;
let system: ClusterSystem;
let members: Member[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whetstone-faults-'));
  system = await startClusterSystem({
    folder,
    settings: {
      gateway: { WHETSTONE_RATE_LIMIT_PER_SECOND: '0', WHETSTONE_STORE_TIMEOUT_MS: String(storeTimeoutMs) },
      analyser: {
        ...preload('misbehaving-analysis'),
        WHETSTONE_ANALYSIS_TIMEOUT_MS: '3000',
        WHETSTONE_ANALYSIS_MEMORY_MB: '64',
      },
    },
  });
  members = await openMembers(system, 3);
}, timeoutMs);

afterAll(async () => {
  await system?.stop();
  await rm(folder, { recursive: true, force: true });
}, timeoutMs);

const oneOf = (service: ServiceName) => random.pick(system.processesOf(service)) as Supervised;

type Fault = [title: string, fault: (stage: Stage<ClusterSystem>) => Promise<unknown>];

const kills = serviceNames.map(
  (service): Fault => [`kill −9 of a ${service}`, (stage) => killAgainAndAgain(stage, oneOf(service), extent.kills)],
);
const always: Fault[] = [
  ...kills,
  ['the broker killed and restarted', (stage) => killBroker(stage, extent.kills)],
  ['Milvus away', (stage) => breakVectorStore(stage, extent.awayMs)],
  ['uploads that hang or kill their analysis', harmAnalysis],
  ['poison in every partition', poison],
  ['SIGSTOP of an analyser', (stage) => pause(stage, oneOf('analyser'), extent.analyserPauseMs)],
  ['everything delivered again from the beginning of the log', rewind],
];
const atLength: Fault[] = [
  ['Kafka away', (stage) => breakBroker(stage, extent.awayMs, storeTimeoutMs)],
  ['a key revoked under load', revokeKey],
];

it.each(isFull ? [...always, ...atLength] : always)(
  '%s: nothing is lost or doubled, every job ends, nobody sees another, and it answers again',
  async (title, fault) => {
    expect(await runScenario({ title, system, members, random, paceMs: 150, fault })).toEqual([]);
  },
  timeoutMs,
);

if (isFull) {
  it(
    'a roll-out of every process under load: callers notice nothing',
    async () => {
      const title = 'a roll-out of every process';
      expect(
        await runScenario({ title, system, members, random, paceMs: 150, flawless: true, fault: rollOut }),
      ).toEqual([]);
    },
    timeoutMs,
  );

  it(
    'a collection with a hundred times the uploads of others does not keep them waiting for long',
    async () => {
      const { stillOpen, of } = await takeTurns(system, members);

      expect(stillOpen).toBeGreaterThan(of / 2);
    },
    timeoutMs,
  );
}
