import type { Logger } from '@whetstone/platform';

import { isAnswer } from './kafka-errors.js';

export interface HealthWatchOptions {
  /** Any request that the brokers answer. */
  ping(): Promise<void>;
  logger: Logger;
}

export interface HealthWatch {
  /** Whether the brokers answered the last request. */
  readonly healthy: boolean;
  note(answered: boolean, error?: unknown): void;
  noting<Result>(work: Promise<Result>): Promise<Result>;
  start(): void;
  stop(): void;
}

/** After so long without a request, one is sent. */
const quietMs = 5000;

/** Tracks whether the brokers answer, from all requests; pings them when there are none. */
export function watchHealth({ ping, logger }: HealthWatchOptions): HealthWatch {
  let healthy = false;
  let notedAtMs = 0;
  let timer: NodeJS.Timeout | undefined;

  function note(answered: boolean, error?: unknown): void {
    if (healthy !== answered && notedAtMs > 0) {
      if (answered) logger.info('Kafka is reachable again');
      else logger.warn({ err: error }, 'Kafka is unreachable');
    }
    healthy = answered;
    notedAtMs = performance.now();
  }

  return {
    get healthy() {
      return healthy;
    },
    note,
    async noting(work) {
      try {
        const result = await work;
        note(true);
        return result;
      } catch (error) {
        note(isAnswer(error), error);
        throw error;
      }
    },
    start() {
      timer = setInterval(() => {
        // The query itself has noted a failure.
        if (performance.now() - notedAtMs >= quietMs) ping().catch(() => {});
      }, quietMs).unref();
    },
    stop: () => clearInterval(timer),
  };
}
