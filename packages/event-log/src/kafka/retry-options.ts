import type { RetryOptions } from 'kafkajs';

/**
 * Every field is always given: kafkajs has other defaults when NODE_ENV is `test`, and a consumer's own defaults win over
 * the client's.
 */
export type CompleteRetry = Required<Omit<RetryOptions, 'restartOnFailure'>>;

/** Attempts to connect, before whoever asked is told. */
export function connectRetry(brokers: number): CompleteRetry {
  // Each try takes the next broker of the list.
  return { retries: Math.max(2, brokers), initialRetryTime: 100, maxRetryTime: 500, factor: 0.2, multiplier: 2 };
}

export const noRetry: CompleteRetry = { ...connectRetry(1), retries: 0 };

/** A consumer keeps its membership through the restart of a broker, also of the only one: about a minute. */
export const consumerRetry: CompleteRetry = {
  retries: 60,
  initialRetryTime: 200,
  maxRetryTime: 1000,
  factor: 0.2,
  multiplier: 1.5,
};
