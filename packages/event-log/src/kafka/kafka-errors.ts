import { AppError } from '@whetstone/platform';

/** The fields that we use of kafkajs errors, which wrap each other. */
interface KafkaError {
  name: string;
  message: string;
  /** Error name of the Kafka protocol. */
  type?: string;
  retriable?: boolean;
  cause?: unknown;
}

/** kafkajs calls these final, but a broker that comes back resolves them. */
const passing = new Set([
  'KafkaJSConnectionError',
  'KafkaJSConnectionClosedError',
  'KafkaJSRequestTimeoutError',
  'KafkaJSBrokerNotFound',
  'KafkaJSNoBrokerAvailableError',
  'KafkaJSGroupCoordinatorNotFound',
  'KafkaJSLockTimeout',
  'KafkaJSTimeout',
]);
const oldGeneration = new Set(['ILLEGAL_GENERATION', 'UNKNOWN_MEMBER_ID', 'REBALANCE_IN_PROGRESS']);
const tooLarge = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE']);

/** Whether waiting alone may help. */
export function isPassing(error: unknown): boolean {
  if (isRefused(error)) return false;
  return someCause(error, ({ name, type = '', retriable }) => {
    return retriable === true || passing.has(name) || oldGeneration.has(type);
  });
}

/** Authentication or authorization failed: somebody has to change the configuration. */
export function isRefused(error: unknown): boolean {
  return someCause(error, ({ name, type = '' }) => {
    return name === 'KafkaJSSASLAuthenticationError' || /(AUTHENTICATION|AUTHORIZATION)_FAILED$|SASL_MECH/.test(type);
  });
}

export function isTooLarge(error: unknown): boolean {
  return someCause(error, ({ type = '' }) => tooLarge.has(type));
}

/** Whether a broker sent this error, so at least it answers. */
export function isAnswer(error: unknown): boolean {
  return someCause(error, ({ type }) => type !== undefined);
}

const groupNotFound = 69;

/** The groups that a deletion has left, for whatever reason; `undefined` if the error does not say. */
export function groupsNotDeleted(error: unknown): string[] | undefined {
  const { groups } = (error ?? {}) as { groups?: { groupId: string; errorCode: number }[] };
  return groups?.filter(({ errorCode }) => errorCode !== groupNotFound).map(({ groupId }) => groupId);
}

export function isUnknownTopic(error: unknown): boolean {
  return someCause(error, ({ type }) => type === 'UNKNOWN_TOPIC_OR_PARTITION');
}

/** A commit that a rebalance has overtaken. */
export function isOldGeneration(error: unknown): boolean {
  return someCause(error, ({ type = '' }) => oldGeneration.has(type));
}

export function logUnavailable(cause: unknown): AppError {
  const { message: reason = 'it does not answer' } = (cause ?? {}) as Partial<KafkaError>;
  return new AppError('log_unavailable', `Kafka is unavailable: ${reason}`, { retryable: true, cause });
}

function someCause(error: unknown, test: (error: KafkaError) => boolean): boolean {
  for (let one = error; typeof one === 'object' && one !== null; one = (one as KafkaError).cause) {
    if (test(one as KafkaError)) return true;
  }
  return false;
}
