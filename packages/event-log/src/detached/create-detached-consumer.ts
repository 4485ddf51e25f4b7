import type { Logger, Registry } from '@whetstone/platform';

import type { EventLog, LogEvent } from '../ports.js';
import { DetachedConsumer } from './detached-consumer.js';

export interface DetachedConsumerOptions {
  log: Pick<EventLog, 'consume'>;
  topic: string;
  group: string;
  /** Lanes are served in turn. */
  laneOf(event: LogEvent): string;
  /** Two events with one serial key are never worked on at the same time. */
  serialKeyOf?(event: LogEvent): string | undefined;
  /**
   * Resolves when the event is done for good; it is then committed. When the signal is aborted it ends soon, and rejects
   * where it was not done: the event comes again, here or elsewhere. Any other rejection is a programming error.
   */
  work(event: LogEvent, signal: AbortSignal): Promise<void>;
  concurrency: number;
  /** Uncommitted messages per partition. */
  windowMessages?: number;
  /** Uncommitted bytes per partition. */
  windowBytes?: number;
  /** How long `stop` lets work go on before it aborts it. */
  graceMs?: number;
  /** The consumer has stopped for a reason that waiting does not mend: the process should end. */
  onCrash(error: Error): void;
  logger: Logger;
  registry?: Registry;
}

/**
 * Works through a topic, detached from how it is read: events are handed to a bounded fair pool while reading goes on, so
 * that slow work neither costs the membership in the group nor lets one lane block the others.
 */
export function createDetachedConsumer(options: DetachedConsumerOptions): DetachedConsumer {
  return new DetachedConsumer({
    serialKeyOf: () => undefined,
    windowMessages: 256,
    windowBytes: 64 * 1024 * 1024,
    graceMs: 10_000,
    ...options,
  });
}
