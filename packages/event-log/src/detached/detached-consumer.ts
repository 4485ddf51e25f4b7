import { type Counter, type Logger, type Registry, settleWithin } from '@whetstone/platform';

import { observeConsumer } from '../metrics.js';
import type { ConsumerLag, Consumption, EventLog, LogEvent } from '../ports.js';
import { FairPool, type Lane, type Pace } from './fair-pool.js';
import { PartitionLane } from './partition-lane.js';
import type { WindowLimits } from './partition-window.js';

export interface DetachedConsumerOptions {
  log: Pick<EventLog, 'consume'>;
  topic: string;
  group: string;
  /** Accounts are served in turn, and in each of them its collections. */
  laneOf(event: LogEvent): Lane;
  /** Two events with one serial key are never worked on at the same time. */
  serialKeyOf?(event: LogEvent): string | undefined;
  /**
   * Resolves when the event is finished; it is then committed. When the signal aborts, it ends soon and rejects
   * if it was not finished: the event is delivered again, here or elsewhere. Any other rejection is a programming error.
   */
  work(event: LogEvent, signal: AbortSignal): Promise<void>;
  concurrency: number;
  /** Delays the beginning of work; whose turn it is is decided afterwards. */
  pace?: Pace | undefined;
  /** Limits per partition of what was read and is not finished. */
  window?: Partial<WindowLimits>;
  /** How long `stop` lets work go on before it aborts it. */
  graceMs?: number;
  /** The consumer has failed permanently: the process should end. */
  onCrash(error: Error): void;
  logger: Logger;
  registry?: Registry;
}

/**
 * Works through a topic, detached from how it is read: events are handed to a bounded fair pool while reading goes on, so
 * that slow work neither costs the membership in the group nor lets one account block the others.
 */
export function createDetachedConsumer(options: DetachedConsumerOptions): DetachedConsumer {
  return new DetachedConsumer({
    serialKeyOf: () => undefined,
    graceMs: 10_000,
    ...options,
    window: { ...defaultWindow, ...options.window },
  });
}

const defaultWindow: WindowLimits = { messages: 256, bytes: 16 * 1024 * 1024, ahead: 50_000 };

interface CompleteOptions extends Required<Omit<DetachedConsumerOptions, 'pace' | 'registry'>> {
  pace?: Pace | undefined;
  window: WindowLimits;
  registry?: Registry | undefined;
}

/** How long `stop` waits for aborted work to end. */
const abortedWorkMs = 2000;

export class DetachedConsumer {
  readonly #options: CompleteOptions;
  readonly #pool: FairPool;
  readonly #lanes = new Map<number, PartitionLane>();
  readonly #rebalances: Counter | undefined;
  #consumption: Consumption | undefined;
  #stopping: Promise<void> | undefined;
  #crashed = false;

  constructor(options: CompleteOptions) {
    this.#options = options;
    this.#pool = new FairPool(options.concurrency, options.pace);
    if (options.registry) {
      const inflight = () => this.#pool.running;
      this.#rebalances = observeConsumer(options.registry, { inflight, lag: () => this.#lag() });
    }
  }

  /** False once it has crashed. */
  get live(): boolean {
    return !this.#crashed;
  }

  async start(): Promise<void> {
    const { log, topic, group } = this.#options;
    this.#consumption = await log.consume({
      topic,
      group,
      onEvents: (events) => this.#take(events),
      onRevoked: (partitions) => this.#giveUp(partitions),
      onCrash: (error) => this.#crash(error),
    });
  }

  /** Stops reading, lets work end or aborts it, and commits what is finished. Idempotent. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  #take(events: LogEvent[]): void {
    const [first] = events;
    if (!first || !this.#consumption || this.#stopping !== undefined || this.#crashed) return;
    const lane = this.#lanes.get(first.partition) ?? this.#openLane(first.partition, this.#consumption);
    lane.take(events);
  }

  #openLane(partition: number, consumption: Consumption): PartitionLane {
    const lane = new PartitionLane({
      ...this.#options,
      partition,
      consumption,
      pool: this.#pool,
      limits: this.#options.window,
      onCrash: (error) => this.#crash(error),
    });
    this.#lanes.set(partition, lane);
    return lane;
  }

  #giveUp(partitions: number[]): void {
    this.#rebalances?.inc();
    for (const partition of partitions) {
      this.#lanes.get(partition)?.abort();
      this.#lanes.delete(partition);
    }
  }

  async #stop(): Promise<void> {
    const lanes = [...this.#lanes.values()];
    this.#consumption?.pause([...this.#lanes.keys()]);
    this.#pool.clear();
    if (!(await this.#idleWithin(this.#options.graceMs))) {
      for (const lane of lanes) lane.abort();
      if (!(await this.#idleWithin(abortedWorkMs)))
        this.#options.logger.warn('Work ignored its abort signal; stopping without it');
    }
    await Promise.all(lanes.map((lane) => lane.commitLast()));
    await this.#consumption?.stop();
  }

  async #idleWithin(timeMs: number): Promise<boolean> {
    return (await settleWithin(this.#pool.idle(), timeMs)).status === 'fulfilled';
  }

  #crash(error: Error): void {
    if (this.#crashed) return;
    this.#crashed = true;
    this.#pool.clear();
    this.#options.logger.error({ err: error }, 'Consumer stopped by a programming error');
    this.#options.onCrash(error);
  }

  async #lag(): Promise<ConsumerLag | undefined> {
    return this.#consumption?.lag().catch((error: unknown) => {
      this.#options.logger.debug({ err: error }, 'Consumer lag unknown');
      return undefined;
    });
  }
}
