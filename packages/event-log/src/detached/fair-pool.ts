export interface PoolTask {
  lane: string;
  /** Two tasks with one serial key never run at the same time, and run in the order in which they were added. */
  serialKey?: string | undefined;
  /** Never rejects. */
  run(): Promise<void>;
}

/**
 * Runs a bounded number of tasks at once and takes the lanes in turn: a thousand waiting tasks of one lane delay another
 * lane's task by one round.
 */
export class FairPool {
  readonly #concurrency: number;
  /** In the order of their turns. A lane without a waiting task is not there. */
  readonly #lanes = new Map<string, PoolTask[]>();
  /** By serial key in use: the tasks that wait for it. */
  readonly #followers = new Map<string, PoolTask[]>();
  readonly #cancelled = new Set<PoolTask>();
  #running = 0;
  #whenIdle: (() => void)[] = [];

  constructor(concurrency: number) {
    this.#concurrency = concurrency;
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
    this.#cancelled.add(task);
  }

  /** Drops every task that has not begun. */
  clear(): void {
    this.#lanes.clear();
    for (const followers of this.#followers.values()) followers.length = 0;
  }

  /** Resolves when nothing runs. */
  async idle(): Promise<void> {
    if (this.#running > 0) await new Promise<void>((resolve) => this.#whenIdle.push(resolve));
  }

  #enqueue(task: PoolTask): void {
    const lane = this.#lanes.get(task.lane);
    if (lane) lane.push(task);
    else this.#lanes.set(task.lane, [task]);
  }

  #fill(): void {
    while (this.#running < this.#concurrency) {
      const task = this.#next();
      if (!task) return;
      if (this.#cancelled.delete(task)) this.#admitFollower(task);
      else void this.#run(task);
    }
  }

  #next(): PoolTask | undefined {
    for (const [name, tasks] of this.#lanes) {
      const task = tasks.shift();
      this.#lanes.delete(name);
      if (tasks.length > 0) this.#lanes.set(name, tasks);
      return task;
    }
    return undefined;
  }

  async #run(task: PoolTask): Promise<void> {
    this.#running++;
    try {
      await task.run();
    } finally {
      this.#running--;
      this.#cancelled.delete(task);
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
