/** An event to append. */
export interface NewEvent {
  /** Compaction keeps the last event per key, and events of one key stay in order. */
  key: string;
  /** Decides the partition; default: the key. */
  partitionKey?: string;
  value: Uint8Array;
  headers?: Record<string, string>;
}

/** An event in the log. */
export interface LogEvent {
  topic: string;
  partition: number;
  /** Increases within a partition, not necessarily by one. */
  offset: number;
  key: string;
  value: Uint8Array;
  headers: Record<string, string>;
  /** Time of the append, milliseconds since the epoch. */
  timestampMs: number;
}

/**
 * The durable log. The same promises from a local file as from Kafka:
 *
 * - `append` resolves once the event is durable: in the local file it survives the process and a power cut,
 *   in Kafka the loss of any one broker. A rejected event may still be in the log. Concurrent appends are batched, and one large
 *   event never fails its neighbours. Rejects with AppError `log_unavailable` (retryable) or `too_large` (not).
 * - Events with one partition key are in one partition, in the order of their appends.
 * - Consumers see each event at least once.
 */
export interface EventLog {
  append(topic: string, event: NewEvent): Promise<void>;
  consume(options: ConsumeOptions): Promise<Consumption>;
  follow(options: FollowOptions): Promise<Following>;
  /** Whether the log answers now. For health reports only, never for decisions. */
  healthy(): boolean;
  close(): Promise<void>;
}

export interface ConsumeOptions {
  topic: string;
  /** Members of one group share the partitions; each group sees every event. */
  group: string;
  /**
   * Called with events of one partition, in order. Hands them
   * on and returns; the work happens elsewhere. A throw is a programming error and crashes the consumption.
   * The first call comes after `consume` has resolved.
   */
  onEvents(events: LogEvent[]): void;
  /** This member has lost these partitions: abort work on their events. Commits for them do nothing. */
  onRevoked(partitions: number[]): void;
  /** The consumption has failed permanently. */
  onCrash(error: Error): void;
}

/** A membership in a consumer group. Delivery starts at the committed position, or at the oldest event. */
export interface Consumption {
  /** Everything before `nextOffset` is done. A commit never moves a position back. */
  commit(partition: number, nextOffset: number): Promise<void>;
  /** No further `onEvents` for these until `resume`. */
  pause(partitions: number[]): void;
  resume(partitions: number[]): void;
  /** Delivers again from `nextOffset`. */
  seek(partition: number, nextOffset: number): void;
  lag(): Promise<ConsumerLag>;
  stop(): Promise<void>;
}

export interface ConsumerLag {
  /** Events of this member's partitions that are not committed yet. */
  messages: number;
  /** Age of the oldest of them; 0 when there is none. */
  seconds: number;
}

export interface FollowOptions {
  topic: string;
  /** Next offset by partition, as last handed to `onEvents`; absent: from the oldest event. */
  from?: number[];
  /** Applied one call after another. `positions` belong to the state after these events: store both together. */
  onEvents(events: LogEvent[], positions: number[]): void | Promise<void>;
  /** The stored positions are out of range: clear the view, all events come again from the oldest. */
  onReset(): void | Promise<void>;
  onCrash(error: Error): void;
}

/** Follows a topic for a view: all partitions, no group, no commits. */
export interface Following {
  /** Resolves once everything that was in the topic when following began has been applied. An empty topic counts. */
  caughtUp(): Promise<void>;
  /**
   * Resolves once everything that was in the partition of `partitionKey` when it was called has been applied.
   * Rejects with AppError `log_unavailable` if the end cannot be read. May be called often: concurrent calls
   * share one query, and an adapter queries at most every 100 ms.
   */
  catchUp(partitionKey: string): Promise<void>;
  /** Seconds since the view was last at the end of the topic. */
  ageSeconds(): number;
  stop(): Promise<void>;
}
