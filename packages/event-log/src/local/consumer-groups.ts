import type { ConsumeOptions, ConsumerLag, Consumption } from '../ports.js';
import type { Partition } from './database.js';
import type { EventReader, ReadResult } from './event-reader.js';
import type { PositionToWrite } from './event-writer.js';
import type { LogTail } from './log-tail.js';

export interface ConsumerGroupsOptions {
  reader: EventReader;
  tail: LogTail;
  nowMs(): number;
  savePosition(position: PositionToWrite): Promise<void>;
}

interface Group {
  members: ConsumerMember[];
  /** Next offset by partition, including commits in flight. */
  committed: number[];
  /** Next offset by partition, on disk. */
  saved: number[];
}

/**
 * The consumer groups of this process. Partitions are assigned round-robin (partition modulo members); a join or a
 * leave reassigns them. A group lives in one process: the file's lock keeps a second server away.
 */
export class ConsumerGroups {
  readonly #options: ConsumerGroupsOptions;
  readonly #groups = new Map<string, Group>();

  constructor(options: ConsumerGroupsOptions) {
    this.#options = options;
  }

  /** Throws AppError `log_unavailable` where the positions cannot be read. */
  join(partitions: Partition[], options: ConsumeOptions): Consumption {
    const id = `${options.topic}/${options.group}`;
    const group = this.#groups.get(id) ?? this.#load(options.group, partitions);
    this.#options.tail.refresh();
    this.#groups.set(id, group);
    const member: ConsumerMember = new ConsumerMember({
      ...this.#options,
      partitions,
      handlers: options,
      committed: (partition) => group.committed[partition] ?? 0,
      commit: (partition, nextOffset) => this.#commit(group, options.group, partition, nextOffset),
      leave: () => this.#leave(id, group, member),
    });
    group.members.push(member);
    rebalance(group);
    return member;
  }

  async stop(): Promise<void> {
    const members = [...this.#groups.values()].flatMap((group) => [...group.members]);
    await Promise.all(members.map((member) => member.stop()));
  }

  #load(group: string, partitions: Partition[]): Group {
    const saved = partitions.map((partition) => this.#options.reader.positionOf(group, partition));
    // Retention keeps what a group has not finished: it must know of the group before its first commit.
    const positions = partitions.map(({ id }, index) => ({ group, partitionId: id, nextOffset: saved[index] ?? 0 }));
    void Promise.allSettled(positions.map((position) => this.#options.savePosition(position)));
    return { members: [], committed: [...saved], saved };
  }

  /** A position that failed to reach the disk is not committed; the next commit writes it. */
  async #commit(group: Group, name: string, { id, partition }: Partition, nextOffset: number): Promise<void> {
    const { committed, saved } = group;
    if (nextOffset <= (committed[partition] ?? 0)) return;
    committed[partition] = nextOffset;
    try {
      await this.#options.savePosition({ group: name, partitionId: id, nextOffset });
      saved[partition] = Math.max(saved[partition] ?? 0, nextOffset);
    } catch (error) {
      if (committed[partition] === nextOffset) committed[partition] = saved[partition] ?? 0;
      throw error;
    }
  }

  #leave(id: string, group: Group, member: ConsumerMember): void {
    group.members = group.members.filter((other) => other !== member);
    if (group.members.length === 0) this.#groups.delete(id);
    rebalance(group);
  }
}

/** First all members release what they lose, then all take over: no partition ever has two owners. */
function rebalance({ members, committed }: Group): void {
  const shares = members.map((member, index) => ({
    member,
    share: committed.flatMap((_, partition) => (partition % members.length === index ? [partition] : [])),
  }));
  for (const { member, share } of shares) member.giveUpAllBut(share);
  for (const { member, share } of shares) member.take(share);
}

interface ConsumerMemberOptions {
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

/** A read after each commit would take longer to begin than to fetch the few events of that commit. */
const pauseMs = 20;

/**
 * One member of a group. Delivers one batch of one partition per turn of the event loop, round-robin, until
 * all are paused or at their end; then it sleeps until the tail moves, and a moment at least.
 */
export class ConsumerMember implements Consumption {
  readonly #options: ConsumerMemberOptions;
  /** In round-robin order: the first has waited longest. */
  #assignments: Assignment[] = [];
  readonly #commits = new Set<Promise<void>>();
  readonly #stopListening: () => void;
  #scheduled: NodeJS.Immediate | undefined;
  #pause: NodeJS.Timeout | undefined;
  #atEndSinceMs = Number.NEGATIVE_INFINITY;
  #crashed = false;
  #stopped = false;

  constructor(options: ConsumerMemberOptions) {
    this.#options = options;
    this.#stopListening = options.tail.listen(() => this.#wakeAfterPause());
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

  #wakeAfterPause(): void {
    const leftMs = this.#atEndSinceMs + pauseMs - performance.now();
    if (leftMs <= 0) this.#wake();
    else this.#pause ??= setTimeout(() => this.#wake(), leftMs);
  }

  #deliver(): void {
    clearTimeout(this.#pause);
    this.#pause = undefined;
    this.#scheduled = undefined;
    this.#guarded(() => {
      const { assignment, batch } = this.#readNext() ?? {};
      if (!assignment || !batch) {
        this.#atEndSinceMs = performance.now();
        return;
      }
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
      // Later: the group may be in the middle of a rebalance.
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
    clearTimeout(this.#pause);
    this.#assignments = [];
    this.#options.leave();
  }
}
