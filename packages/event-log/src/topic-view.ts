import type { Logger, Registry } from '@whetstone/platform';

import { decodeMessage } from './message-codec.js';
import { observeViewAge } from './metrics.js';
import type { EventLog, Following } from './ports.js';

interface TopicViewOptions<Message> {
  log: Pick<EventLog, 'follow'>;
  topic: string;
  /** In metrics and log lines. */
  name: string;
  /** Must be idempotent and commutative: after a reset, all events come again. */
  apply(message: Message): void;
  logger: Logger;
  registry: Registry;
  onCrash(error: Error): void;
}

/** A view of a topic in memory. While the log is unavailable it stays as it is. */
export interface TopicView extends Pick<Following, 'catchUp' | 'ageSeconds'> {
  /** Begins to follow the topic. */
  start(): Promise<void>;
  /** Resolves once everything that was in the topic at the start has been applied. */
  caughtUp(): Promise<void>;
  stop(): Promise<void>;
}

export function createTopicView<Message>(options: TopicViewOptions<Message>): TopicView {
  const { log, topic, name, apply, logger, registry, onCrash } = options;
  let following: Following | undefined;

  return {
    async start() {
      const started = await log.follow({
        topic,
        async onEvents(events) {
          for (const { value, offset } of events) {
            try {
              apply(await decodeMessage<Message>(value));
            } catch (error) {
              logger.error({ err: error, topic, offset }, 'Unreadable event in a view; skipping it');
            }
          }
        },
        onReset() {},
        onCrash,
      });
      following = started;
      observeViewAge(registry, name, () => started.ageSeconds());
    },
    async caughtUp() {
      await following?.caughtUp();
    },
    async catchUp(partitionKey) {
      await following?.catchUp(partitionKey);
    },
    ageSeconds: () => following?.ageSeconds() ?? Number.POSITIVE_INFINITY,
    async stop() {
      await following?.stop();
    },
  };
}
