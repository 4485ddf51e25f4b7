import { AppError, isAppError } from '@whetstone/platform';

import { MilvusFailure } from './failure.js';
import type { MilvusConfig } from './milvus-config.js';

/**
 * Why Milvus did not serve, in words for whoever configured it: AppError `invalid_argument` for what no waiting mends,
 * otherwise `store_unavailable`. What is no outage stays as it is.
 */
export function explainOutage(error: unknown, config: Pick<MilvusConfig, 'address' | 'database'>): unknown {
  if (!isAppError(error, 'store_unavailable')) return error;
  const { address, database } = config;
  const { cause } = error;
  const kind = cause instanceof MilvusFailure ? cause.kind : undefined;
  if (kind === 'credentials') {
    const reason = (cause as MilvusFailure).message;
    return new AppError('invalid_argument', `Milvus at ${address} refuses the credentials: ${reason}`, { cause });
  }
  if (kind === 'no_database') {
    return new AppError('invalid_argument', `Milvus at ${address} has no database "${database}": make it first`, {
      cause,
    });
  }
  return new AppError('store_unavailable', `Milvus at ${address} does not answer`, { retryable: true, cause });
}
