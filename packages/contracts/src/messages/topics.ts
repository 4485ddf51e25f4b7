/** One topic of the log and how long what is in it stays. */
export interface TopicSpec {
  name: string;
  partitions: number;
  /** Of several events with one key, compaction keeps the last. */
  compacted: boolean;
  /** Absent: kept for ever. */
  retentionMs?: number;
}

/** Key, headers and value of one event together: the same limit in a local log as in a topic of a cluster. */
export const maxEventBytes = 8 * 1024 * 1024;

const dayMs = 24 * 60 * 60 * 1000;

export const topics = {
  uploads: { name: 'whetstone.uploads.v1', partitions: 8, compacted: false, retentionMs: 7 * dayMs },
  jobs: { name: 'whetstone.jobs.v1', partitions: 8, compacted: true, retentionMs: 30 * dayMs },
  keys: { name: 'whetstone.keys.v1', partitions: 1, compacted: true },
  deadLetters: { name: 'whetstone.uploads.dead.v1', partitions: 8, compacted: false, retentionMs: 30 * dayMs },
} as const satisfies Record<string, TopicSpec>;
