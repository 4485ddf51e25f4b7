import { topics } from '@whetstone/contracts';
import type { EventLog } from '@whetstone/event-log';
import { applyTopics, type KafkaConfig, kafkaConfigOf, openKafkaEventLog } from '@whetstone/event-log/kafka';
import { AppError, isAppError, type Logger, settleWithin } from '@whetstone/platform';
import type { ClusterConfig } from './cluster-installation.js';
import type { OpenPart, Topics } from './installation.js';

/** Longer than a service waits: nobody else is held up, and a busy broker may take seconds. */
const queryTimeoutMs = 15_000;
/** Unavailable brokers cannot be disconnected from in order, and the user has seen the error. */
const closingMs = 3000;

/** Rejects with AppError `log_unavailable` if no broker answers: unlike a service, a person does not wait. */
export async function openKafkaLog(values: ClusterConfig, logger: Logger): Promise<OpenPart<EventLog>> {
  const config = kafkaConfigOf(values);
  const log = await openKafkaEventLog({ config, clientId: 'whetstone-cli', logger, queryTimeoutMs });
  const close = async () => void (await settleWithin(log.close(), closingMs));
  if (log.healthy()) return { part: log, close };
  await close();
  throw awayError(config);
}

export async function openKafkaTopics(values: ClusterConfig, logger: Logger): Promise<OpenPart<Topics>> {
  const config = kafkaConfigOf(values);
  return {
    part: {
      async apply({ acceptWeaker }) {
        try {
          return await applyTopics({ config, topics: Object.values(topics), logger, acceptWeaker });
        } catch (error) {
          throw isAppError(error, 'log_unavailable') ? awayError(config, error) : error;
        }
      },
    },
    close: async () => {},
  };
}

function awayError({ brokers }: KafkaConfig, cause?: unknown): AppError {
  return new AppError('log_unavailable', `Kafka at ${brokers.join(', ')} does not answer`, { retryable: true, cause });
}
