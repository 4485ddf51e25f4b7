import { MilvusClient } from '@zilliz/milvus2-sdk-node';

import type { MilvusConfig } from './milvus-config.js';

/** Requests that are under way at once; more wait for their turn. They share one connection. */
const concurrentRequests = 64;

/**
 * A client of the SDK. Connects with its first request, not before.
 *
 * Without the SDK's own retries: they end after 140 ms, take a method that the server does not know for an empty success,
 * and write every message as JSON for a log that is off, which takes longer than reading the message.
 */
export function openClient(config: Omit<MilvusConfig, 'shards'>): MilvusClient {
  const { address, credentials, database, tls, timeoutMs } = config;
  const client = new MilvusClient({
    address,
    database,
    ...credentials,
    ...(tls ? { ssl: true, ...(tls.ca === undefined ? {} : { tls: { rootCert: Buffer.from(tls.ca) } }) } : {}),
    // For what it asks on its own; every request of ours brings its own limit.
    timeout: timeoutMs,
    pool: { min: 0, max: concurrentRequests, acquireTimeoutMillis: timeoutMs },
    // Pings while nothing is asked: a server that thinks them too many ends the connection.
    channelOptions: { 'grpc.keepalive_permit_without_calls': 0 },
    // Its greeting is answered by nobody if Milvus is away, and would end the process as an unhandled rejection.
    __SKIP_CONNECT__: true,
    trace: true,
    logLevel: 'error',
  });
  const { channelOptions } = client;
  // The retries come last, and connections are made from these options later, with the first request.
  channelOptions.interceptors = (channelOptions.interceptors as unknown[]).slice(0, -1);
  return client;
}
