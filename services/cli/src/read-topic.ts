import { decodeMessage, type EventLog, type LogEvent } from '@whetstone/event-log';

import type { CliIo } from './io.js';

/**
 * Applies everything that is in the topic now, oldest first within each partition. What cannot be read is told and left out,
 * as the server leaves it out: one damaged event does not take the command away from the operator who has to mend things.
 */
export async function readTopic<Message>(
  log: EventLog,
  topic: string,
  io: Pick<CliIo, 'stderr'>,
  apply: (message: Message, event: LogEvent) => void | Promise<void>,
): Promise<void> {
  let fail: (error: unknown) => void = () => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  failed.catch(() => {});
  const following = await log.follow({
    topic,
    async onEvents(events) {
      try {
        for (const event of events) await read(event);
      } catch (error) {
        fail(error);
        throw error;
      }
    },
    onReset: () => {},
    onCrash: fail,
  });
  try {
    await Promise.race([following.caughtUp(), failed]);
  } finally {
    await following.stop();
  }

  async function read(event: LogEvent): Promise<void> {
    let message: Message;
    try {
      message = await decodeMessage<Message>(event.value);
    } catch {
      io.stderr(`Left out: event ${event.offset} of partition ${event.partition} of ${topic} cannot be read\n`);
      return;
    }
    await apply(message, event);
  }
}
