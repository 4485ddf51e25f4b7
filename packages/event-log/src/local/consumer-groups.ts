import type { ConsumeOptions, Consumption } from '../ports.js';
import { ConsumerMember } from './consumer-member.js';
import type { Partition } from './database.js';
import type { EventReader } from './event-reader.js';
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
  /** Next offset by partition: what is on disk, or further where that is on its way there. */
  committed: number[];
  /** Next offset by partition, on disk for sure. */
  saved: number[];
}

/**
 * The consumer groups of this process. Members share the partitions in turn (partition modulo members); whoever joins or
 * leaves makes the others give up or take over. A group lives in one process: the file's lock keeps a second server away.
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

  #load(name: string, partitions: Partition[]): Group {
    const saved = partitions.map((partition) => this.#options.reader.positionOf(name, partition));
    return { members: [], committed: [...saved], saved };
  }

  /** A position that did not get to disk is not committed: the next try writes it. */
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

/** First everyone gives up what is no longer theirs, then everyone takes: no partition has two owners in between. */
function rebalance({ members, committed }: Group): void {
  const shares = members.map((member, index) => ({
    member,
    share: committed.flatMap((_, partition) => (partition % members.length === index ? [partition] : [])),
  }));
  for (const { member, share } of shares) member.giveUpAllBut(share);
  for (const { member, share } of shares) member.take(share);
}
