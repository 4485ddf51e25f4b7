import type { Logger } from '@whetstone/platform';

import { isAnswer } from './kafka-errors.js';

export interface HealthWatchOptions {
  /** Something that works when the brokers answer. */
  ping(): Promise<void>;
  logger: Logger;
}

export interface HealthWatch {
  /** Whether the last thing that was asked of the brokers was answered. */
  readonly healthy: boolean;
  note(answered: boolean, error?: unknown): void;
  noting<Result>(work: Promise<Result>): Promise<Result>;
  start(): void;
  stop(): void;
}

/** Nothing asked for so long: then somebody asks. */
const quietMs = 5000;

/** Remembers whether the brokers answer, from whatever they are asked; asks by itself when nobody else does. */
export function watchHealth({ ping, logger }: HealthWatchOptions): HealthWatch {
  let healthy = false;
  let notedAtMs = 0;
  let timer: NodeJS.Timeout | undefined;

  function note(answered: boolean, error?: unknown): void {
    if (healthy !== answered && notedAtMs > 0) {
      if (answered) logger.info('Kafka answers again');
      else logger.warn({ err: error }, 'Kafka does not answer');
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
        if (performance.now() - notedAtMs >= quietMs) ping().catch(() => {});
      }, quietMs).unref();
    },
    stop: () => clearInterval(timer),
  };
}
