/** An event on its way into the log. */
export interface NewEvent {
  /** What compaction goes by, and what order is promised for. */
  key: string;
  /** Decides the partition where that is not the key itself. */
  partitionKey?: string;
  value: Uint8Array;
  headers?: Record<string, string>;
}

/** An event as it stands in the log. */
export interface LogEvent {
  topic: string;
  partition: number;
  /** Increases within a partition, not necessarily by one. */
  offset: number;
  key: string;
  value: Uint8Array;
  headers: Record<string, string>;
  /** When the log took it, milliseconds since the epoch. */
  timestampMs: number;
}

/**
 * The durable log. The same promises from a local file as from Kafka:
 *
 * - `append` resolves only when the event survives whatever the log itself promises to survive: the process and a power cut
 *   here, any one broker there. A rejection leaves open whether it is there. Concurrent appends are batched, and one large
 *   event never fails its neighbours. Rejects with AppError `log_unavailable` (retryable) or `too_large` (not).
 * - Events with one partition key are in one partition, in the order in which their appends were made one after another.
 * - Consumers see each event at least once.
 */
export interface EventLog {
  append(topic: string, event: NewEvent): Promise<void>;
  consume(options: ConsumeOptions): Promise<Consumption>;
  follow(options: FollowOptions): Promise<Following>;
  /** Whether the log answers right now; for health reports, never for decisions. */
  healthy(): boolean;
  close(): Promise<void>;
}

export interface ConsumeOptions {
  topic: string;
  /** Members of one group share the partitions; each group sees every event. */
  group: string;
  /**
   * Called with events of one partition, in order, and never again for that partition before it has returned. Hands them
   * on and returns; the work itself happens elsewhere. A throw is a programming error and crashes the consumption.
   * The first call comes after `consume` has resolved.
   */
  onEvents(events: LogEvent[]): void;
  /** Partitions that this member has lost: work on their events is to be aborted, and commits for them do nothing. */
  onRevoked(partitions: number[]): void;
  /** The consumption has ended for a reason that waiting does not mend. */
  onCrash(error: Error): void;
}

/** A membership in a consumer group. Delivery starts at the committed position, or at the oldest event there is. */
export interface Consumption {
  /** Everything of the partition before `nextOffset` is done. Positions never move back by a commit. */
  commit(partition: number, nextOffset: number): Promise<void>;
  /** No further `onEvents` for these until `resume`; what was delivered stays delivered. */
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
  /** The stored positions are not in the log any more: forget everything, it comes again from the oldest event. */
  onReset(): void | Promise<void>;
  onCrash(error: Error): void;
}

/** Reads a topic as a view: all partitions, no group, no commits. */
export interface Following {
  /** Resolves once everything that was in the topic when following began has been applied. An empty topic counts. */
  caughtUp(): Promise<void>;
  /**
   * Resolves once everything that was in the partition of `partitionKey` at the time of the call has been applied.
   * Rejects with AppError `log_unavailable` where the end cannot be asked for. May be called as often as one likes: an
   * adapter for which asking is dear lets concurrent calls share one question, and asks at most every 100 ms.
   */
  catchUp(partitionKey: string): Promise<void>;
  /** Seconds since the view was last known to be at the end of the topic. */
  ageSeconds(): number;
  stop(): Promise<void>;
}
