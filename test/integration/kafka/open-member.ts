import type { EventLog, LogEvent } from '@whetstone/event-log';
import { kafkaConfigOf, kafkaConfigSchema } from '@whetstone/event-log/kafka';
import { loadConfig } from '@whetstone/platform';

import { openLog } from './topics.js';

interface MemberOptions {
  brokers: string;
  /** Also the name of the group. */
  topic: string;
  sessionTimeoutMs: string;
  onEvent(event: LogEvent): void;
}

/** A member of a group, configured as a service is. */
export async function openMember({ brokers, topic, sessionTimeoutMs, onEvent }: MemberOptions): Promise<EventLog> {
  const env = { WHETSTONE_KAFKA_BROKERS: brokers, WHETSTONE_KAFKA_SESSION_TIMEOUT_MS: sessionTimeoutMs };
  const log = await openLog(kafkaConfigOf(loadConfig(kafkaConfigSchema, env)));
  await log.consume({
    topic,
    group: topic,
    onEvents: (events) => events.forEach(onEvent),
    onRevoked() {},
    onCrash: (error) => {
      throw error;
    },
  });
  return log;
}
