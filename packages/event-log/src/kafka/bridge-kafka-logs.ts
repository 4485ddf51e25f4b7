import type { Logger } from '@whetstone/platform';
import type { LogEntry } from 'kafkajs';

/**
 * What kafkajs says, for those who look for it: it reports as errors what it then mends by itself, a broker that restarts
 * for one. What matters to operators is told by the adapter, in its own words.
 */
export function bridgeKafkaLogs(logger: Logger): () => (entry: LogEntry) => void {
  return () =>
    ({ namespace, log }) => {
      const { message, error, broker, groupId } = log;
      logger.debug({ part: `kafkajs ${namespace}`, error: textOf(error), broker, groupId }, message);
    };
}

function textOf(error: unknown): unknown {
  return error instanceof Error ? error.message : error;
}
