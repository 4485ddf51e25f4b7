import { MilvusClient } from '@zilliz/milvus2-sdk-node';

import type { MilvusConfig } from './milvus-config.js';

/** Requests that are under way at once; more wait for their turn. They share one connection. */
const concurrentRequests = 64;

/** A client of the SDK. Connects with its first request, not before. */
export function openClient({ address, credentials, database, tls, timeoutMs }: MilvusConfig): MilvusClient {
  return new MilvusClient({
    address,
    database,
    ...credentials,
    ...(tls ? { ssl: true, ...(tls.ca === undefined ? {} : { tls: { rootCert: Buffer.from(tls.ca) } }) } : {}),
    // For what it asks on its own; every request of ours brings its own limit.
    timeout: timeoutMs,
    pool: { min: 0, max: concurrentRequests, acquireTimeoutMillis: timeoutMs },
    // Its greeting is answered by nobody if Milvus is away, and would end the process as an unhandled rejection.
    __SKIP_CONNECT__: true,
    trace: true,
    logLevel: 'error',
  });
}
