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
  apply: (message: Message) => void,
): Promise<void> {
  let crash: Error | undefined;
  const following = await log.follow({
    topic,
    async onEvents(events) {
      for (const event of events) await read(event);
    },
    onReset: () => {},
    onCrash: (error) => {
      crash = error;
    },
  });
  try {
    await following.caughtUp();
  } catch (error) {
    throw crash ?? error;
  } finally {
    await following.stop();
  }

  async function read({ value, partition, offset }: LogEvent): Promise<void> {
    let message: Message;
    try {
      message = await decodeMessage<Message>(value);
    } catch {
      io.stderr(`Left out: event ${offset} of partition ${partition} of ${topic} cannot be read\n`);
      return;
    }
    apply(message);
  }
}
