import { AppError, type ConfigOf, type ConfigSchema } from '@whetstone/platform';

const vectorIndexes = ['FLAT', 'HNSW', 'IVF_FLAT'] as const;
export type VectorIndex = (typeof vectorIndexes)[number];

export const milvusConfigSchema = {
  type: 'object',
  properties: {
    WHETSTONE_MILVUS_ADDRESS: {
      type: 'string',
      minLength: 1,
      description: 'Host and port of Milvus, such as `milvus:19530`.',
    },
    WHETSTONE_MILVUS_USERNAME: { type: 'string', description: 'User name for Milvus; requires a password.' },
    WHETSTONE_MILVUS_PASSWORD: { type: 'string', secret: true, description: 'Password for Milvus.' },
    WHETSTONE_MILVUS_TOKEN: {
      type: 'string',
      secret: true,
      description: 'Token or API key for Milvus, instead of user name and password.',
    },
    WHETSTONE_MILVUS_DATABASE: {
      type: 'string',
      minLength: 1,
      default: 'default',
      description: 'Milvus database for the knowledge. It must exist.',
    },
    WHETSTONE_MILVUS_TLS: { type: 'boolean', default: false, description: 'Whether to connect to Milvus over TLS.' },
    WHETSTONE_MILVUS_TLS_CA: {
      type: 'string',
      description:
        'PEM certificate of the authority that signed the certificate of Milvus. If unset, the system authorities.',
    },
    WHETSTONE_MILVUS_SHARDS: {
      type: 'integer',
      minimum: 1,
      maximum: 64,
      default: 8,
      description:
        'Number of Milvus collections that hold the knowledge. Each takes at most 1,023 Whetstone collections; a few hundred is good practice. Fixed once there is knowledge.',
    },
    WHETSTONE_MILVUS_INDEX: {
      type: 'string',
      enum: vectorIndexes,
      default: 'FLAT',
      description:
        'How new Milvus collections index vectors; those that exist keep their index. `FLAT` searches exactly, in time that grows with the collection. `HNSW` and `IVF_FLAT` stay fast in collections of millions, but may miss some of the nearest insights. Deletions are exact with any.',
    },
    WHETSTONE_MILVUS_CONSISTENCY: {
      type: 'string',
      enum: ['bounded', 'strong'],
      default: 'strong',
      description:
        'Consistency of searches. `strong` never returns knowledge deleted before the search. `bounded` may return it for a few seconds, but saves waiting for the latest writes: up to 200 ms per search while there are writes. Everything except searches is always strong.',
    },
    WHETSTONE_MILVUS_TIMEOUT_MS: {
      type: 'integer',
      minimum: 100,
      maximum: 60000,
      default: 8000,
      description: 'Timeout of one operation on Milvus, including retries.',
    },
  },
  required: ['WHETSTONE_MILVUS_ADDRESS'],
} as const satisfies ConfigSchema;

export interface MilvusConfig {
  address: string;
  credentials?: { username: string; password: string } | { token: string };
  database: string;
  /** Absent: no TLS. `ca` is PEM; absent: the system's authorities. */
  tls?: { ca?: string };
  shards: number;
  /** Of collections that it creates. */
  vectorIndex: VectorIndex;
  searchConsistency: 'bounded' | 'strong';
  timeoutMs: number;
}

/** Throws AppError `invalid_argument` if variables contradict each other. */
export function milvusConfigOf(values: ConfigOf<typeof milvusConfigSchema>): MilvusConfig {
  return {
    address: addressOf(values),
    ...credentialsOf(values),
    database: values.WHETSTONE_MILVUS_DATABASE,
    ...tlsOf(values),
    shards: values.WHETSTONE_MILVUS_SHARDS,
    vectorIndex: values.WHETSTONE_MILVUS_INDEX,
    searchConsistency: values.WHETSTONE_MILVUS_CONSISTENCY,
    timeoutMs: values.WHETSTONE_MILVUS_TIMEOUT_MS,
  };
}

type Values = ConfigOf<typeof milvusConfigSchema>;

function addressOf({ WHETSTONE_MILVUS_ADDRESS: address }: Values): string {
  if (/^(\[[\da-fA-F:.]+\]|[^\s/:]+):\d{1,5}$/.test(address)) return address;
  throw mistake(`WHETSTONE_MILVUS_ADDRESS must be a host and a port, such as milvus:19530, not "${address}"`);
}

function credentialsOf(values: Values): Pick<MilvusConfig, 'credentials'> {
  const { WHETSTONE_MILVUS_USERNAME: username, WHETSTONE_MILVUS_PASSWORD: password } = values;
  const { WHETSTONE_MILVUS_TOKEN: token } = values;
  if (token && (username || password)) {
    throw mistake('WHETSTONE_MILVUS_TOKEN replaces user name and password: set one or the other, not both');
  }
  if (token) return { credentials: { token } };
  if (username && password) return { credentials: { username, password } };
  if (!username && !password) return {};
  throw mistake('WHETSTONE_MILVUS_USERNAME and WHETSTONE_MILVUS_PASSWORD go together: set both');
}

function tlsOf({ WHETSTONE_MILVUS_TLS: tls, WHETSTONE_MILVUS_TLS_CA: ca }: Values): Pick<MilvusConfig, 'tls'> {
  if (tls) return { tls: ca ? { ca } : {} };
  if (ca) throw mistake('WHETSTONE_MILVUS_TLS_CA is set, but WHETSTONE_MILVUS_TLS is not true');
  return {};
}

function mistake(text: string): AppError {
  return new AppError('invalid_argument', text);
}
