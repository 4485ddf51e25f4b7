import type { ConfigOf, ConfigSchema } from '@whetstone/platform';

import type { RedactionOptions } from './domain/redactor.js';
import type { ConnectionLimits } from './http/connections.js';
import type { RateLimits } from './http/rate-limiter.js';
import type { WorkLimits } from './http/work-limiter.js';

export const gatewayConfigSchema = {
  type: 'object',
  properties: {
    WHETSTONE_HTTP_HOST: {
      type: 'string',
      default: '127.0.0.1',
      description: 'Address to listen on for requests. 0.0.0.0 for all interfaces.',
    },
    WHETSTONE_HTTP_PORT: {
      type: 'integer',
      minimum: 0,
      maximum: 65_535,
      default: 8080,
      description: 'Port to listen on for requests. 0 picks a free one.',
    },
    WHETSTONE_DOCS: {
      type: 'boolean',
      default: true,
      description: 'Whether to serve /docs and /openapi.json, which need no key.',
    },
    WHETSTONE_CONSOLE: {
      type: 'boolean',
      default: true,
      description: 'Whether to serve the console at /console, and to let people sign in to it.',
    },
    WHETSTONE_SESSION_MINUTES: {
      type: 'integer',
      minimum: 1,
      maximum: 7 * 24 * 60,
      default: 12 * 60,
      description: 'Time after which people have to sign in to the console again.',
    },
    WHETSTONE_MAX_BODY_BYTES: {
      type: 'integer',
      minimum: 1024,
      maximum: 7 * 1024 * 1024,
      default: 4 * 1024 * 1024,
      description: 'Largest request body, unpacked, in bytes.',
    },
    WHETSTONE_MAX_BATCH_BYTES: {
      type: 'integer',
      minimum: 1024,
      maximum: 256 * 1024 * 1024,
      default: 32 * 1024 * 1024,
      description:
        'Largest body of store_knowledge/batch, unpacked, in bytes. Each of its lines may be as large as WHETSTONE_MAX_BODY_BYTES.',
    },
    WHETSTONE_REDACT_PERSONAL_DATA: {
      type: 'boolean',
      default: false,
      description:
        'Also redact e-mail addresses, phone numbers and payment card numbers from uploads (docs/safety.md). Secrets are always redacted.',
    },
    WHETSTONE_ENCRYPT_UPLOADS: {
      type: 'boolean',
      default: true,
      description:
        'Whether to encrypt uploads in the log. false only while analysers of a version that cannot read them are running (docs/operating/upgrade.md).',
    },
    WHETSTONE_RATE_LIMIT_PER_SECOND: {
      type: 'number',
      minimum: 0,
      default: 200,
      description: 'Sustained requests per second of a key, counted per replica. 0 for no limit.',
    },
    WHETSTONE_RATE_LIMIT_BURST: {
      type: 'integer',
      minimum: 1,
      default: 1000,
      description: 'Largest burst of requests of a key after a pause.',
    },
    WHETSTONE_WORK_LIMIT_BYTES_PER_SECOND: {
      type: 'integer',
      minimum: 0,
      default: 32 * 1024 * 1024,
      description:
        'Sustained bytes of bodies per second of a key, unpacked and counted per replica. Each millisecond that reading them takes counts as 64 KiB. 0 for no limit.',
    },
    WHETSTONE_WORK_LIMIT_BURST_BYTES: {
      type: 'integer',
      minimum: 1024 * 1024,
      default: 256 * 1024 * 1024,
      description: 'Largest burst of such bytes of a key after a pause.',
    },
    WHETSTONE_STORE_TIMEOUT_MS: timeout(
      'store_knowledge, feedback or an operation on lessons, runs, collections or keys',
      10_000,
    ),
    WHETSTONE_BATCH_TIMEOUT_MS: {
      type: 'integer',
      minimum: 1,
      default: 60_000,
      description: 'Time after which store_knowledge/batch reports the lines that are not queued yet as failed.',
    },
    WHETSTONE_ENHANCE_TIMEOUT_MS: timeout('enhance_task', 10_000),
    WHETSTONE_STATUS_TIMEOUT_MS: timeout('knowledge_status', 5000),
    WHETSTONE_DELETE_TIMEOUT_MS: timeout(
      'delete_by_intent, DELETE /collections, DELETE /lessons, audit, usage or uplift',
      60_000,
    ),
    WHETSTONE_HTTP_REQUEST_TIMEOUT_MS: {
      type: 'integer',
      minimum: 1000,
      default: 60_000,
      description: 'Time for a client to send its whole request.',
    },
    WHETSTONE_HTTP_STALL_TIMEOUT_MS: {
      type: 'integer',
      minimum: 100,
      default: 10_000,
      description: 'Time without a byte after which a request body is refused with 408.',
    },
    WHETSTONE_MAX_BYTES_IN_FLIGHT: {
      type: 'integer',
      minimum: 1024 * 1024,
      default: 192 * 1024 * 1024,
      description:
        'Bytes of request bodies above 16 KiB that the process holds at once; beyond it they get 503. A quarter for one account, beyond which it gets 429. At least four of the largest batches and eight of the largest other bodies.',
    },
    WHETSTONE_BODY_THREADS: {
      type: 'integer',
      minimum: 1,
      maximum: 64,
      default: 2,
      description:
        'Threads that read request bodies above 16 KiB. They start when needed; each may take up to 64 times WHETSTONE_MAX_BODY_BYTES of memory.',
    },
    WHETSTONE_HTTP_MAX_CONNECTIONS: {
      type: 'integer',
      minimum: 10,
      default: 2000,
      description:
        'Open connections. Further ones get 503 and are closed; from nine tenths on, idle ones are closed to make room.',
    },
    WHETSTONE_HTTP_MAX_CONNECTIONS_PER_ADDRESS: {
      type: 'integer',
      minimum: 0,
      default: 500,
      description:
        'Open connections from one IPv4 address or IPv6 /64. 0 for no limit, as behind a proxy, whose callers share its address.',
    },
    WHETSTONE_HTTP_GRACE_MS: {
      type: 'integer',
      minimum: 0,
      default: 10_000,
      description: 'Time for requests in flight to finish when the process stops.',
    },
  },
} as const satisfies ConfigSchema;

function timeout<const Default extends number>(operation: string, ms: Default) {
  return {
    type: 'integer',
    minimum: 1,
    default: ms,
    description: `Time after which ${operation} answers 500.`,
  } as const;
}

export interface GatewayConfig {
  host: string;
  /** 0 picks a free one. */
  port: number;
  docs: boolean;
  console: boolean;
  sessionMs: number;
  maxBodyBytes: number;
  maxBatchBytes: number;
  redaction: RedactionOptions;
  encryptsUploads: boolean;
  /** How long another gateway may go on using a data key after it is retired. 0 if there is no other. */
  keyHandoverMs: number;
  rate: RateLimits;
  work: WorkLimits;
  timeoutsMs: { store: number; batch: number; enhance: number; status: number; delete: number };
  requestTimeoutMs: number;
  stallTimeoutMs: number;
  maxBytesInFlight: number;
  bodyThreads: number;
  connections: ConnectionLimits;
  graceMs: number;
}

export function gatewayConfigOf(values: ConfigOf<typeof gatewayConfigSchema>): GatewayConfig {
  return {
    host: values.WHETSTONE_HTTP_HOST,
    port: values.WHETSTONE_HTTP_PORT,
    docs: values.WHETSTONE_DOCS,
    console: values.WHETSTONE_CONSOLE,
    sessionMs: values.WHETSTONE_SESSION_MINUTES * 60_000,
    maxBodyBytes: values.WHETSTONE_MAX_BODY_BYTES,
    maxBatchBytes: values.WHETSTONE_MAX_BATCH_BYTES,
    redaction: { personalData: values.WHETSTONE_REDACT_PERSONAL_DATA },
    encryptsUploads: values.WHETSTONE_ENCRYPT_UPLOADS,
    keyHandoverMs: 0,
    rate: { perSecond: values.WHETSTONE_RATE_LIMIT_PER_SECOND, burst: values.WHETSTONE_RATE_LIMIT_BURST },
    work: {
      perSecond: values.WHETSTONE_WORK_LIMIT_BYTES_PER_SECOND,
      burst: values.WHETSTONE_WORK_LIMIT_BURST_BYTES,
    },
    timeoutsMs: {
      store: values.WHETSTONE_STORE_TIMEOUT_MS,
      batch: values.WHETSTONE_BATCH_TIMEOUT_MS,
      enhance: values.WHETSTONE_ENHANCE_TIMEOUT_MS,
      status: values.WHETSTONE_STATUS_TIMEOUT_MS,
      delete: values.WHETSTONE_DELETE_TIMEOUT_MS,
    },
    requestTimeoutMs: values.WHETSTONE_HTTP_REQUEST_TIMEOUT_MS,
    stallTimeoutMs: values.WHETSTONE_HTTP_STALL_TIMEOUT_MS,
    // One account may hold a quarter, which must be enough for a batch and two bodies.
    maxBytesInFlight: Math.max(
      values.WHETSTONE_MAX_BYTES_IN_FLIGHT,
      4 * values.WHETSTONE_MAX_BATCH_BYTES + 8 * values.WHETSTONE_MAX_BODY_BYTES,
    ),
    bodyThreads: values.WHETSTONE_BODY_THREADS,
    connections: {
      perProcess: values.WHETSTONE_HTTP_MAX_CONNECTIONS,
      perAddress: values.WHETSTONE_HTTP_MAX_CONNECTIONS_PER_ADDRESS,
    },
    graceMs: values.WHETSTONE_HTTP_GRACE_MS,
  };
}
