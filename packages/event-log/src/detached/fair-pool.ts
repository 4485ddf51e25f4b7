import { setMaxListeners } from 'node:events';

/** Whose turn a task takes. */
export interface Lane {
  account: string;
  collection: string;
  /** Where it was read from. */
  partition?: number;
}

export interface PoolTask {
  lane: Lane;
  /** Two tasks with one serial key never run at the same time, and run in the order in which they were added. */
  serialKey?: string | undefined;
  /** Never rejects. */
  run(): Promise<void>;
}

/** Resolves when the next task may begin; rejects if the signal aborts first. */
export type Pace = (signal: AbortSignal) => Promise<void>;

/**
 * Runs a bounded number of tasks at once. The accounts take turns, and in each of them its collections: however many tasks
 * one account has waiting, in however many collections, they delay another account's task by one turn. In a collection the
 * partitions take turns, so that no partition stays full of one account's tasks, without room for others.
 */
export class FairPool {
  readonly #concurrency: number;
  readonly #pace: Pace | undefined;
  readonly #cleared = new AbortController();
  #waiting = new Turns();
  /** By serial key in use: the tasks that wait for it. */
  readonly #followers = new Map<string, PoolTask[]>();
  #running = 0;
  /** Places that wait to begin. Which task they begin is decided when they may. */
  #pacing = 0;
  #whenIdle: (() => void)[] = [];

  constructor(concurrency: number, pace?: Pace) {
    this.#concurrency = concurrency;
    this.#pace = pace;
    // As many places as there are may wait at once; Node warns above ten.
    setMaxListeners(concurrency, this.#cleared.signal);
  }

  get running(): number {
    return this.#running;
  }

  add(task: PoolTask): void {
    if (task.serialKey === undefined) {
      this.#enqueue(task);
    } else {
      const followers = this.#followers.get(task.serialKey);
      if (followers) {
        followers.push(task);
        return;
      }
      this.#followers.set(task.serialKey, []);
      this.#enqueue(task);
    }
    this.#fill();
  }

  /** Drops a task unless it has begun. */
  cancel(task: PoolTask): void {
    const { serialKey } = task;
    const followers = serialKey === undefined ? undefined : this.#followers.get(serialKey);
    if (followers && remove(followers, task)) return;
    if (this.#waiting.remove(task, pathOf(task))) this.#admitFollower(task);
  }

  /** Drops every task that has not begun. Nothing is added afterwards. */
  clear(): void {
    this.#cleared.abort();
    this.#waiting = new Turns();
    for (const followers of this.#followers.values()) followers.length = 0;
  }

  /** Resolves when nothing runs. */
  async idle(): Promise<void> {
    if (this.#running > 0) await new Promise<void>((resolve) => this.#whenIdle.push(resolve));
  }

  #enqueue(task: PoolTask): void {
    this.#waiting.add(task, pathOf(task));
  }

  #fill(): void {
    while (this.#waiting.size > this.#pacing && this.#running + this.#pacing < this.#concurrency) {
      if (this.#pace) void this.#beginPaced(this.#pace);
      else this.#begin();
    }
  }

  async #beginPaced(pace: Pace): Promise<void> {
    this.#pacing++;
    // Rejects only when the pool is cleared; there is nothing to begin then.
    await pace(this.#cleared.signal).catch(() => {});
    this.#pacing--;
    this.#begin();
    this.#fill();
  }

  #begin(): void {
    const task = this.#waiting.take();
    if (task) void this.#run(task);
  }

  async #run(task: PoolTask): Promise<void> {
    this.#running++;
    try {
      await task.run();
    } finally {
      this.#running--;
      this.#admitFollower(task);
      this.#fill();
      if (this.#running === 0) for (const resolve of this.#whenIdle.splice(0)) resolve();
    }
  }

  #admitFollower({ serialKey }: PoolTask): void {
    if (serialKey === undefined) return;
    const next = this.#followers.get(serialKey)?.shift();
    if (next) this.#enqueue(next);
    else this.#followers.delete(serialKey);
  }
}

function pathOf({ lane: { account, collection, partition } }: PoolTask): string[] {
  return [account, collection, String(partition)];
}

/** Waiting tasks. On each step of their paths those who have any take turns. */
class Turns {
  size = 0;
  readonly #tasks: PoolTask[] = [];
  /** By the next step of the path, in the order of their turns. */
  readonly #below = new Map<string, Turns>();

  add(task: PoolTask, [step, ...rest]: string[]): void {
    this.size++;
    if (step === undefined) {
      this.#tasks.push(task);
      return;
    }
    const below = this.#below.get(step) ?? new Turns();
    below.add(task, rest);
    this.#below.set(step, below);
  }

  /** Whoever has had a turn goes to the end of the queue. */
  take(): PoolTask | undefined {
    if (this.size > 0) this.size--;
    const [turn] = this.#below;
    if (!turn) return this.#tasks.shift();
    const [step, below] = turn;
    const task = below.take();
    this.#below.delete(step);
    if (below.size > 0) this.#below.set(step, below);
    return task;
  }

  /** False if it does not wait. */
  remove(task: PoolTask, [step, ...rest]: string[]): boolean {
    const below = step === undefined ? undefined : this.#below.get(step);
    const isRemoved = below ? below.remove(task, rest) : remove(this.#tasks, task);
    if (isRemoved) this.size--;
    if (step !== undefined && below?.size === 0) this.#below.delete(step);
    return isRemoved;
  }
}

/** False if it is not among them. */
function remove(tasks: PoolTask[], task: PoolTask): boolean {
  const at = tasks.indexOf(task);
  if (at >= 0) tasks.splice(at, 1);
  return at >= 0;
}
