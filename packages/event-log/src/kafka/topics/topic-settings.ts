import { maxEventBytes, type TopicSpec } from '@whetstone/contracts';

/** How many copies of everything there are, and how many of them an append waits for. */
export interface Replication {
  factor: number;
  minInSync: number;
}

/** What a topic of the cluster is like, as far as it matters here. */
export interface TopicState {
  partitions: number;
  /** Of the partition that has fewest. */
  replicationFactor: number;
  settings: Readonly<Record<string, string>>;
}

const forEver = -1;

/** The settings of a topic by their names in Kafka. */
export function settingsOf({ compacted, retentionMs }: TopicSpec, { minInSync }: Replication): Record<string, string> {
  const policies = [...(compacted ? ['compact'] : []), ...(!compacted || retentionMs !== undefined ? ['delete'] : [])];
  return {
    'cleanup.policy': policies.join(','),
    'retention.ms': String(retentionMs ?? forEver),
    'retention.bytes': String(forEver),
    'max.message.bytes': String(maxEventBytes),
    'min.insync.replicas': String(minInSync),
    'unclean.leader.election.enable': 'false',
  };
}

/** In words, everything in which the topic promises less than it should. */
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
