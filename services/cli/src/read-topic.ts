import { decodeMessage, type EventLog, type Following, type LogEvent } from '@whetstone/event-log';
import { sleep } from '@whetstone/platform';

import type { CliIo } from './io.js';

const askEveryMs = 1000;

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
  const reading = new AbortController();
  try {
    await Promise.race([following.caughtUp(), failed, untilAway(following, reading.signal)]);
  } catch (error) {
    // A log that is away makes one wait for this too, and closes without it.
    following.stop().catch(() => {});
    throw error;
  } finally {
    reading.abort();
  }
  await following.stop();

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

/** Rejects when the log does not answer: whoever follows a topic is not told, but waits until it is back. */
async function untilAway(following: Following, signal: AbortSignal): Promise<never> {
  for (;;) {
    await following.catchUp('');
    await sleep(askEveryMs, { signal });
  }
}
