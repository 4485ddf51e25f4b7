import { maxEventBytes, type TopicSpec } from '@whetstone/contracts';
import { AppError, type Logger, sleep } from '@whetstone/platform';
import kafkajs, { type Admin } from 'kafkajs';

import { connectRetry, createKafkaClient } from './kafka-client.js';
import type { KafkaConfig } from './kafka-config.js';
import { isPassing, isRefused, logUnavailable } from './kafka-errors.js';

export interface ApplyTopicsOptions {
  config: KafkaConfig;
  topics: readonly TopicSpec[];
  logger: Logger;
  /** Default: three copies, two of them before an append is acknowledged. */
  replication?: Replication;
  /** Makes as many copies as there are brokers, and accepts existing topics as they are. For development. */
  acceptWeaker?: boolean;
}

export interface TopicReport {
  topic: string;
  created: boolean;
  /** Settings that are weaker than required; empty unless that was accepted. */
  weaknesses: string[];
}

const leadersWithinMs = 30_000;
const dayMs = 24 * 60 * 60 * 1000;

/**
 * Creates missing topics and checks existing ones. Changes no existing topic, since kafkajs can only replace
 * all settings of a topic at once. Rejects with AppError `invalid_argument` that names every weakness, before anything is
 * made, and `log_unavailable` where the cluster does not answer.
 */
export async function applyTopics({
  config,
  topics,
  logger,
  replication = { factor: 3, minInSync: 2 },
  acceptWeaker = false,
}: ApplyTopicsOptions): Promise<TopicReport[]> {
  const { kafka, destroy } = createKafkaClient({ config, clientId: 'whetstone-topics', logger });
  const admin = kafka.admin({ retry: connectRetry(config.brokers.length) });
  try {
    await admin.connect();
    const { brokers } = await admin.describeCluster();
    const states = await statesOf(admin, topics);
    const missing = topics.filter(({ name }) => !states.has(name));
    const mistakes = [
      ...(missing.length > 0 && brokers.length < replication.factor
        ? [`the brokers (${brokers.length}) cannot hold ${replication.factor} copies`]
        : []),
      ...weaknessesByTopic(topics, replication, states),
    ];
    if (mistakes.length > 0 && !acceptWeaker) throw weakError(mistakes);
    await create(admin, missing, atMost(replication, brokers.length));
    return topics.map((spec) => {
      const state = states.get(spec.name);
      return {
        topic: spec.name,
        created: state === undefined,
        weaknesses: state ? weaknessesOf(spec, replication, state) : [],
      };
    });
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (!isRefused(error)) throw logUnavailable(error);
    throw new AppError('invalid_argument', `Kafka refused the request: ${(error as Error).message}`, { cause: error });
  } finally {
    await admin.disconnect().catch((error: unknown) => logger.debug({ err: error }, 'Disconnecting from Kafka failed'));
    destroy();
  }
}

/** State of the topics that exist. */
async function statesOf(admin: Admin, topics: readonly TopicSpec[]): Promise<Map<string, TopicState>> {
  const existing = new Set(await admin.listTopics());
  const names = topics.map(({ name }) => name).filter((name) => existing.has(name));
  if (names.length === 0) return new Map();
  const { topics: descriptions } = await admin.fetchTopicMetadata({ topics: names });
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: names.map((name) => ({ type: kafkajs.ConfigResourceTypes.TOPIC, name })),
  });
  return new Map(
    descriptions.map(({ name, partitions }) => {
      const entries = resources.find(({ resourceName }) => resourceName === name)?.configEntries ?? [];
      const settings = Object.fromEntries(entries.map(({ configName, configValue }) => [configName, configValue]));
      const replicationFactor = Math.min(...partitions.map(({ replicas }) => replicas.length));
      return [name, { partitions: partitions.length, replicationFactor, settings }];
    }),
  );
}

function weaknessesByTopic(
  topics: readonly TopicSpec[],
  replication: Replication,
  states: ReadonlyMap<string, TopicState>,
): string[] {
  return topics.flatMap((spec) => {
    const state = states.get(spec.name);
    return state ? weaknessesOf(spec, replication, state).map((weakness) => `${spec.name}: ${weakness}`) : [];
  });
}

async function create(admin: Admin, missing: readonly TopicSpec[], replication: Replication): Promise<void> {
  if (missing.length === 0) return;
  await admin.createTopics({
    // kafkajs does not wait for brokers that do not know the topic yet.
    waitForLeaders: false,
    timeout: 10_000,
    topics: missing.map((spec) => ({
      topic: spec.name,
      numPartitions: spec.partitions,
      replicationFactor: replication.factor,
      configEntries: Object.entries(settingsOf(spec, replication)).map(([name, value]) => ({ name, value })),
    })),
  });
  const names = missing.map(({ name }) => name);
  for (const giveUpAt = performance.now() + leadersWithinMs; !(await areLed(admin, names)); await sleep(50)) {
    if (performance.now() > giveUpAt) throw new Error(`The new topics have no leaders after ${leadersWithinMs} ms`);
  }
}

/** Whether every partition has a leader. */
async function areLed(admin: Admin, names: string[]): Promise<boolean> {
  try {
    const { topics } = await admin.fetchTopicMetadata({ topics: names });
    return topics.every(({ partitions }) => partitions.every(({ leader }) => leader >= 0));
  } catch (error) {
    if (isPassing(error)) return false;
    throw error;
  }
}

function atMost({ factor, minInSync }: Replication, brokers: number): Replication {
  const copies = Math.min(factor, brokers);
  return { factor: copies, minInSync: Math.min(minInSync, Math.max(1, copies - 1)) };
}

function weakError(mistakes: string[]): AppError {
  const list = mistakes.map((mistake) => `\n  - ${mistake}`).join('');
  const hint =
    'In development that can be accepted: topics.acceptWeaker=true in the chart, --accept-weaker on the command line';
  return new AppError('invalid_argument', `Topics do not meet the durability requirements:${list}\n${hint}`);
}

/** Number of copies, and how many of them an append waits for. */
interface Replication {
  factor: number;
  minInSync: number;
}

/** An existing topic, as far as it matters here. */
export interface TopicState {
  partitions: number;
  /** The lowest of all partitions. */
  replicationFactor: number;
  settings: Readonly<Record<string, string>>;
}

const forEver = -1;

/** The settings of a topic by their names in Kafka. */
export function settingsOf(
  { compacted, retentionMs, compactWithinMs }: TopicSpec,
  { minInSync }: Replication,
): Record<string, string> {
  const policies = [...(compacted ? ['compact'] : []), ...(!compacted || retentionMs !== undefined ? ['delete'] : [])];
  return {
    'cleanup.policy': policies.join(','),
    'retention.ms': String(retentionMs ?? forEver),
    'retention.bytes': String(forEver),
    // Kafka deletes whole segments, and only closed ones: a longer one would keep events long beyond their retention.
    ...(retentionMs === undefined ? {} : { 'segment.ms': String(dayMs) }),
    ...(compactWithinMs === undefined ? {} : { 'max.compaction.lag.ms': String(compactWithinMs) }),
    'max.message.bytes': String(maxEventBytes),
    'min.insync.replicas': String(minInSync),
    'unclean.leader.election.enable': 'false',
  };
}

/** Every setting that is weaker than required, in words. */
export function weaknessesOf(spec: TopicSpec, replication: Replication, state: TopicState): string[] {
  const wanted = settingsOf(spec, replication);
  const weaknesses: string[] = [];
  const compare = (name: string, found: string | number, wish: string | number, isWeaker: boolean) => {
    if (isWeaker) weaknesses.push(`${name} is ${found} and should be ${wish}`);
  };
  const atLeast = (name: string, found: number, wish: number) => compare(name, found, `at least ${wish}`, found < wish);

  atLeast('the number of partitions', state.partitions, spec.partitions);
  atLeast('the replication factor', state.replicationFactor, replication.factor);
  for (const [name, wish] of Object.entries(wanted)) {
    const found = state.settings[name] ?? 'unknown';
    switch (name) {
      case 'cleanup.policy':
        compare(name, found, wish, sorted(found) !== sorted(wish));
        break;
      case 'unclean.leader.election.enable':
        compare(name, found, wish, found !== wish);
        break;
      case 'segment.ms':
      case 'max.compaction.lag.ms':
        break;
      case 'retention.ms':
      case 'retention.bytes':
        compare(name, found, orMore(wish), isShorter(Number(found), Number(wish)));
        break;
      default:
        atLeast(name, Number(found), Number(wish));
    }
  }
  return weaknesses;
}

function isShorter(found: number, wish: number): boolean {
  if (found === forEver) return false;
  return wish === forEver || !(found >= wish);
}

function orMore(wish: string): string {
  return Number(wish) === forEver ? `${wish} (no limit)` : `at least ${wish}`;
}

function sorted(policies: string): string {
  return policies
    .split(',')
    .map((policy) => policy.trim())
    .sort()
    .join();
}
