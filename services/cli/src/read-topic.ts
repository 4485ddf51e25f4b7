import { decodeMessage, type EventLog } from '@whetstone/event-log';

/** Applies everything that is in the topic now, oldest first within each partition. */
export async function readTopic<Message>(
  log: EventLog,
  topic: string,
  apply: (message: Message) => void,
): Promise<void> {
  let crash: Error | undefined;
  const following = await log.follow({
    topic,
    async onEvents(events) {
      for (const { value } of events) apply(await decodeMessage<Message>(value));
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
}
