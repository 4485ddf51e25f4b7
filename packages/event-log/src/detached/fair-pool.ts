import { setMaxListeners } from 'node:events';

/** Whose turn a task takes. */
export interface Lane {
  account: string;
  collection: string;
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
 * one account has waiting, in however many collections, they delay another account's task by one turn.
 */
export class FairPool {
  readonly #concurrency: number;
  readonly #pace: Pace | undefined;
  readonly #cleared = new AbortController();
  /** By account and collection, in the order of their turns. Who has no waiting task is not there. */
  readonly #accounts = new Map<string, Map<string, PoolTask[]>>();
  /** By serial key in use: the tasks that wait for it. */
  readonly #followers = new Map<string, PoolTask[]>();
  #waiting = 0;
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
    const { lane, serialKey } = task;
    const followers = serialKey === undefined ? undefined : this.#followers.get(serialKey);
    if (followers && remove(followers, task)) return;
    const collections = this.#accounts.get(lane.account);
    const tasks = collections?.get(lane.collection);
    if (!collections || !tasks || !remove(tasks, task)) return;
    this.#waiting--;
    if (tasks.length === 0) collections.delete(lane.collection);
    if (collections.size === 0) this.#accounts.delete(lane.account);
    this.#admitFollower(task);
  }

  /** Drops every task that has not begun. Nothing is added afterwards. */
  clear(): void {
    this.#cleared.abort();
    this.#accounts.clear();
    this.#waiting = 0;
    for (const followers of this.#followers.values()) followers.length = 0;
  }

  /** Resolves when nothing runs. */
  async idle(): Promise<void> {
    if (this.#running > 0) await new Promise<void>((resolve) => this.#whenIdle.push(resolve));
  }

  #enqueue(task: PoolTask): void {
    const { account, collection } = task.lane;
    const collections = this.#accounts.get(account) ?? new Map<string, PoolTask[]>();
    const tasks = collections.get(collection) ?? [];
    tasks.push(task);
    this.#accounts.set(account, collections.set(collection, tasks));
    this.#waiting++;
  }

  #fill(): void {
    while (this.#waiting > this.#pacing && this.#running + this.#pacing < this.#concurrency) {
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
    const task = this.#next();
    if (task) void this.#run(task);
  }

  /** Whoever has had a turn goes to the end of its queue. */
  #next(): PoolTask | undefined {
    for (const [account, collections] of this.#accounts) {
      this.#accounts.delete(account);
      for (const [collection, tasks] of collections) {
        const task = tasks.shift();
        this.#waiting--;
        collections.delete(collection);
        if (tasks.length > 0) collections.set(collection, tasks);
        if (collections.size > 0) this.#accounts.set(account, collections);
        return task;
      }
    }
    return undefined;
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

/** False if it is not among them. */
function remove(tasks: PoolTask[], task: PoolTask): boolean {
  const at = tasks.indexOf(task);
  if (at >= 0) tasks.splice(at, 1);
  return at >= 0;
}
