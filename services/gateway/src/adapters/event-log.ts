import { type KeyEvent, topics, type UploadToAppend } from '@whetstone/contracts';
import {
  decodeMessage,
  type EventLog,
  encodeMessage,
  type Following,
  observeViewAge,
  toUploadLogEvent,
} from '@whetstone/event-log';
import { type KeyRing, keyOfKeyEvent } from '@whetstone/identity';
import { type Logger, type Registry, traceHeaders, withSpan } from '@whetstone/platform';

interface KeyViewDeps {
  log: Pick<EventLog, 'follow'>;
  ring: KeyRing;
  logger: Logger;
  registry: Registry;
  onCrash(error: Error): void;
}

interface KeyView {
  /** Resolves once the topic has been read to its end. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Keeps the key ring in step with the keys topic. While the log is unavailable the ring stays as it is. */
export function createKeyView({ log, ring, logger, registry, onCrash }: KeyViewDeps): KeyView {
  let following: Following | undefined;

  return {
    async start() {
      const started = await log.follow({
        topic: topics.keys.name,
        async onEvents(events) {
          for (const { value, offset } of events) {
            try {
              ring.apply(await decodeMessage<KeyEvent>(value));
            } catch (error) {
              logger.error({ err: error, offset }, 'Unreadable key event; skipping it');
            }
          }
        },
        // Key events are idempotent and commutative, so reading them again changes nothing.
        onReset() {},
        onCrash,
      });
      following = started;
      observeViewAge(registry, 'keys', () => started.ageSeconds());
      await started.caughtUp();
    },
    async stop() {
      await following?.stop();
    },
  };
}

export async function appendUpload(log: Pick<EventLog, 'append'>, upload: UploadToAppend): Promise<void> {
  const topic = topics.uploads.name;
  await withSpan(`send ${topic}`, { kind: 'producer' }, async () =>
    log.append(topic, await toUploadLogEvent(upload, traceHeaders())),
  );
}

export async function appendKeyEvent(log: Pick<EventLog, 'append'>, event: KeyEvent): Promise<void> {
  const topic = topics.keys.name;
  await withSpan(`send ${topic}`, { kind: 'producer' }, async () =>
    log.append(topic, { key: keyOfKeyEvent(event), value: await encodeMessage(event) }),
  );
}
