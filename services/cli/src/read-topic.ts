import { decodeMessage, type EventLog, type Following, type LogEvent } from '@whetstone/event-log';
import { sleep } from '@whetstone/platform';

import type { CliIo } from './io.js';

const askEveryMs = 1000;

/**
 * Applies all events of the topic, oldest first within each partition. Reports and skips unreadable ones, as the server does:
 * one damaged event must not stop the operator who has to repair things.
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
    // An unavailable log would make this wait as well.
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
      io.stderr(`Skipped an unreadable event: ${topic}, partition ${event.partition}, offset ${event.offset}\n`);
      return;
    }
    await apply(message, event);
  }
}

/** Rejects when the log is unavailable; following alone would wait until it is back. */
async function untilAway(following: Following, signal: AbortSignal): Promise<never> {
  for (;;) {
    await following.catchUp('');
    await sleep(askEveryMs, { signal });
  }
}
