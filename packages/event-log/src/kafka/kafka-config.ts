import { AppError, type ConfigOf, type ConfigSchema } from '@whetstone/platform';

/**
 * The least that brokers accept by default. Ten heartbeats fit in, and an analyser analyses in threads of its own, so only a
 * process that stands still for that long loses its partitions.
 */
export const defaultSessionTimeoutMs = 6000;

/** A name or IPv4 address, or an IPv6 address in brackets. */
const broker = '(\\[[\\da-fA-F:.]+\\]|[^\\s,:\\[\\]]+):\\d+';

export const kafkaConfigSchema = {
  type: 'object',
  properties: {
    WHETSTONE_KAFKA_BROKERS: {
      type: 'string',
      pattern: `^\\s*${broker}(\\s*,\\s*${broker})*\\s*$`,
      description: 'Bootstrap brokers, each as `host:port` or `[IPv6]:port`, separated by commas.',
    },
    WHETSTONE_KAFKA_TLS: {
      type: 'boolean',
      default: false,
      description: 'Whether to connect to the brokers over TLS.',
    },
    WHETSTONE_KAFKA_TLS_CA: {
      type: 'string',
      description: 'PEM of the authorities that sign the brokers’ certificates; the system’s own without it.',
    },
    WHETSTONE_KAFKA_TLS_CERT: { type: 'string', description: 'PEM of the certificate to show to the brokers.' },
    WHETSTONE_KAFKA_TLS_KEY: { type: 'string', secret: true, description: 'PEM of that certificate’s key.' },
    WHETSTONE_KAFKA_SASL_MECHANISM: {
      type: 'string',
      enum: ['plain', 'scram-sha-256', 'scram-sha-512'],
      description: 'SASL mechanism. If unset, SASL is not used.',
    },
    WHETSTONE_KAFKA_SASL_USERNAME: { type: 'string', description: 'The user to log in as.' },
    WHETSTONE_KAFKA_SASL_PASSWORD: { type: 'string', secret: true, description: 'That user’s password.' },
    WHETSTONE_KAFKA_SESSION_TIMEOUT_MS: {
      type: 'integer',
      minimum: 1000,
      maximum: 1_800_000,
      default: defaultSessionTimeoutMs,
      description:
        'How long an analyser may be silent before the brokers give its partitions to another one. Brokers set the minimum (`group.min.session.timeout.ms`, by default 6000).',
    },
  },
  required: ['WHETSTONE_KAFKA_BROKERS'],
} as const satisfies ConfigSchema;

/** Address of a Kafka cluster, and how to log in. */
export interface KafkaConfig {
  /** As `host:port` or `[IPv6]:port`. */
  brokers: string[];
  /** PEM. Absent: no TLS. */
  tls?: { ca?: string; cert?: string; key?: string };
  /** Absent: no login. */
  sasl?: { mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'; username: string; password: string };
  /** Without a heartbeat for so long, a consumer's partitions go to another member. */
  sessionTimeoutMs?: number;
}

/** Throws AppError `invalid_argument` that names every inconsistent variable. */
export function kafkaConfigOf(values: ConfigOf<typeof kafkaConfigSchema>): KafkaConfig {
  const mistakes = [...mistakesOfTls(values), ...mistakesOfSasl(values)];
  if (mistakes.length > 0) {
    throw new AppError('invalid_argument', `Kafka configuration is incomplete:${mistakes.join('')}`);
  }
  const { WHETSTONE_KAFKA_TLS_CA: ca, WHETSTONE_KAFKA_TLS_CERT: cert, WHETSTONE_KAFKA_TLS_KEY: key } = values;
  const { WHETSTONE_KAFKA_SASL_MECHANISM: mechanism } = values;
  const username = values.WHETSTONE_KAFKA_SASL_USERNAME ?? '';
  const password = values.WHETSTONE_KAFKA_SASL_PASSWORD ?? '';
  const tls = { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
  return {
    brokers: values.WHETSTONE_KAFKA_BROKERS.split(',').map((broker) => broker.trim()),
    ...(values.WHETSTONE_KAFKA_TLS && { tls }),
    ...(mechanism && { sasl: { mechanism, username, password } }),
    sessionTimeoutMs: values.WHETSTONE_KAFKA_SESSION_TIMEOUT_MS,
  };
}

function mistakesOfTls(values: ConfigOf<typeof kafkaConfigSchema>): string[] {
  const given = (['CA', 'CERT', 'KEY'] as const).filter((name) => values[`WHETSTONE_KAFKA_TLS_${name}`]);
  if (!values.WHETSTONE_KAFKA_TLS) {
    return given.map((name) => `\n  - WHETSTONE_KAFKA_TLS_${name} is set, but WHETSTONE_KAFKA_TLS is not true`);
  }
  const [cert, key] = [given.includes('CERT'), given.includes('KEY')];
  if (cert === key) return [];
  const [present, absent] = cert ? ['CERT', 'KEY'] : ['KEY', 'CERT'];
  return [`\n  - WHETSTONE_KAFKA_TLS_${present} is set, but WHETSTONE_KAFKA_TLS_${absent} is not`];
}

function mistakesOfSasl(values: ConfigOf<typeof kafkaConfigSchema>): string[] {
  const isWanted = values.WHETSTONE_KAFKA_SASL_MECHANISM !== undefined;
  const odd = (['USERNAME', 'PASSWORD'] as const).filter(
    (name) => (values[`WHETSTONE_KAFKA_SASL_${name}`] !== undefined) !== isWanted,
  );
  const why = isWanted
    ? 'is required with WHETSTONE_KAFKA_SASL_MECHANISM'
    : 'is set, but WHETSTONE_KAFKA_SASL_MECHANISM is not';
  return odd.map((name) => `\n  - WHETSTONE_KAFKA_SASL_${name} ${why}`);
}
