import type { ConsumeOptions, ConsumerLag, Consumption } from '../ports.js';
import type { Partition } from './database.js';
import type { EventReader, ReadResult } from './event-reader.js';
import type { LogTail } from './log-tail.js';

export interface ConsumerMemberOptions {
  reader: EventReader;
  tail: LogTail;
  nowMs(): number;
  /** Of the topic, in order. */
  partitions: Partition[];
  handlers: Pick<ConsumeOptions, 'onEvents' | 'onRevoked' | 'onCrash'>;
  committed(partition: number): number;
  commit(partition: Partition, nextOffset: number): Promise<void>;
  leave(): void;
}

interface Assignment {
  partition: Partition;
  next: number;
  paused: boolean;
}

/**
 * One member of a group. Delivers one batch of one partition per turn of the event loop, the partitions in turn, until
 * all are paused or at their end; then it sleeps until the tail moves.
 */
export class ConsumerMember implements Consumption {
  readonly #options: ConsumerMemberOptions;
  /** In the order in which they are served: the first is the one that has waited longest. */
  #assignments: Assignment[] = [];
  readonly #commits = new Set<Promise<void>>();
  readonly #stopListening: () => void;
  #scheduled: NodeJS.Immediate | undefined;
  #crashed = false;
  #stopped = false;

  constructor(options: ConsumerMemberOptions) {
    this.#options = options;
    this.#stopListening = options.tail.listen(() => this.#wake());
  }

  giveUpAllBut(partitions: number[]): void {
    const lost = this.#assignments.filter(({ partition }) => !partitions.includes(partition.partition));
    if (lost.length === 0) return;
    this.#assignments = this.#assignments.filter((assignment) => !lost.includes(assignment));
    this.#guarded(() => this.#options.handlers.onRevoked(lost.map(({ partition }) => partition.partition)));
  }

  take(partitions: number[]): void {
    if (this.#stopped) return;
    for (const number of partitions) {
      const partition = this.#options.partitions[number];
      if (!partition || this.#assigned(number)) continue;
      this.#assignments.push({ partition, next: this.#options.committed(number), paused: false });
    }
    this.#wake();
  }

  async commit(number: number, nextOffset: number): Promise<void> {
    const assignment = this.#assigned(number);
    if (!assignment) return;
    const commit = this.#options.commit(assignment.partition, nextOffset);
    this.#commits.add(commit);
    try {
      await commit;
    } finally {
      this.#commits.delete(commit);
    }
  }

  pause(partitions: number[]): void {
    this.#setPaused(partitions, true);
  }

  resume(partitions: number[]): void {
    this.#setPaused(partitions, false);
    this.#wake();
  }

  seek(number: number, nextOffset: number): void {
    const assignment = this.#assigned(number);
    if (assignment) assignment.next = nextOffset;
    this.#wake();
  }

  async lag(): Promise<ConsumerLag> {
    const { committed, nowMs, reader, tail } = this.#options;
    tail.refresh();
    const now = nowMs();
    const lag = { messages: 0, seconds: 0 };
    for (const { partition } of this.#assignments) {
      const { start, end } = tail.bounds(partition.id);
      const from = Math.max(start, committed(partition.partition));
      if (from >= end) continue;
      lag.messages += end - from;
      lag.seconds = Math.max(lag.seconds, (now - (reader.timestampAt(partition, from) ?? now)) / 1000);
    }
    return lag;
  }

  async stop(): Promise<void> {
    this.#leave();
    await Promise.allSettled(this.#commits);
  }

  #assigned(number: number): Assignment | undefined {
    return this.#assignments.find(({ partition }) => partition.partition === number);
  }

  #setPaused(partitions: number[], paused: boolean): void {
    for (const number of partitions) {
      const assignment = this.#assigned(number);
      if (assignment) assignment.paused = paused;
    }
  }

  #wake(): void {
    if (!this.#stopped && !this.#crashed) this.#scheduled ??= setImmediate(() => this.#deliver());
  }

  #deliver(): void {
    this.#scheduled = undefined;
    this.#guarded(() => {
      const { assignment, batch } = this.#readNext() ?? {};
      if (!assignment || !batch) return;
      assignment.next = batch.next;
      this.#assignments = [...this.#assignments.filter((other) => other !== assignment), assignment];
      if (batch.events.length > 0) this.#options.handlers.onEvents(batch.events);
      this.#wake();
    });
  }

  /** A partition that cannot be read does not hold up the others; the tail wakes us to try it again. */
  #readNext(): { assignment: Assignment; batch: ReadResult } | undefined {
    const { tail } = this.#options;
    for (const assignment of this.#assignments) {
      const { next, partition, paused } = assignment;
      if (paused || next >= tail.bounds(partition.id).end) continue;
      const batch = tail.read(partition, next);
      if (batch) return { assignment, batch };
    }
    return undefined;
  }

  #guarded(handler: () => void): void {
    try {
      handler();
    } catch (error) {
      this.#crashed = true;
      // Not now: the group may be in the middle of sharing out.
      setImmediate(() => {
        this.#leave();
        this.#options.handlers.onCrash(error as Error);
      });
    }
  }

  #leave(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#stopListening();
    clearImmediate(this.#scheduled);
    this.#assignments = [];
    this.#options.leave();
  }
}
