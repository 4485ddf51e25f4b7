import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type ServiceName, serviceNames } from '@whetstone/deploy';

import { createRandomness } from '../../support/randomness.js';
import type { Member } from '../clients/caller.js';
import { extent, isFull, seriesOf } from '../extent.js';
import { openMembers } from '../open-members.js';
import { preload } from '../planted/preload.js';
import { breakBroker, breakVectorStore, killBroker } from '../scenarios/engine-faults.js';
import { takeTurns } from '../scenarios/fair-turns.js';
import { harmAnalysis, killAgainAndAgain, pause, poison, revokeKey, rewind, rollOut } from '../scenarios/faults.js';
import { type Fault, runScenario, type Stage } from '../scenarios/run-scenario.js';
import { sendTraces } from '../scenarios/send-traces.js';
import { type ClusterSystem, startClusterSystem } from '../systems/start-cluster-system.js';
import type { Supervised } from '../systems/supervise.js';

const random = createRandomness();
const timeoutMs = (isFull ? 60 : 12) * 60_000;
const storeTimeoutMs = 5000;
/** Longer than callers take to find a replica that has returned. */
const drain = { WHETSTONE_DRAIN_MS: isFull ? '4000' : '0' };
let folder: string;
let system: ClusterSystem;
let members: Member[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whetstone-faults-'));
  system = await startClusterSystem({
    folder,
    settings: {
      status: drain,
      indexer: drain,
      gateway: {
        ...drain,
        WHETSTONE_RATE_LIMIT_PER_SECOND: '0',
        WHETSTONE_WORK_LIMIT_BYTES_PER_SECOND: '0',
        WHETSTONE_STORE_TIMEOUT_MS: String(storeTimeoutMs),
      },
      analyser: { ...drain, ...preload('misbehaving-analysis'), ...extent.analysis },
    },
  });
  members = await openMembers(system, 3);
}, timeoutMs);

afterAll(async () => {
  await system?.stop();
  await rm(folder, { recursive: true, force: true });
}, timeoutMs);

const oneOf = (service: ServiceName) => random.pick(system.processesOf(service)) as Supervised;

/** Redelivery comes early, while the log is short. */
const always: Fault<ClusterSystem>[] = [
  { title: 'uploads that hang or kill their analysis', strike: harmAnalysis },
  { title: 'poison in every partition', strike: poison },
  { title: 'everything delivered again from the beginning of the log', strike: rewind },
  ...serviceNames.map((service) => ({
    title: `kill −9 of one ${service}`,
    strike: (stage: Stage) => killAgainAndAgain(stage, oneOf(service), extent.kills),
  })),
  { title: 'Kafka away, by kill −9', strike: (stage) => breakBroker(stage, extent.awayMs, storeTimeoutMs) },
  { title: 'Milvus away', strike: (stage) => breakVectorStore(stage, extent.awayMs) },
  { title: 'SIGSTOP of one analyser', strike: (stage) => pause(stage, oneOf('analyser'), extent.analyserPauseMs) },
];
const atLength: Fault<ClusterSystem>[] = [
  { title: 'the broker killed and restarted', strike: (stage) => killBroker(stage, extent.kills) },
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
    const strike = async () => {
      for (const service of ['gateway', 'analyser'] as const) await oneOf(service).kill();
    };

    expect(await sendTraces(system, member as Member, { ...extent.traces, random, strike })).toEqual([]);
  },
  timeoutMs,
);

if (isFull) {
  it(
    'a roll-out of every process under load: callers notice nothing',
    async () => {
      const faults = [{ title: 'a roll-out of every process', strike: rollOut }];
      expect(await runScenario({ faults, system, members, random, paceMs: extent.paceMs, flawless: true })).toEqual([]);
    },
    timeoutMs,
  );

  it(
    'an account with a hundred times the uploads of others does not keep them waiting for long',
    async () => {
      const { meanwhile, of } = await takeTurns(system, members);

      expect(meanwhile).toBeLessThan(of / 4);
    },
    timeoutMs,
  );
}
