import type { Logger, Registry } from '@whetstone/platform';

import type { EventLog, LogEvent } from '../ports.js';

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
