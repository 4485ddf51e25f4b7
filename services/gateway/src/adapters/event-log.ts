import { type KeyEvent, type TraceOfSpans, topics, type UploadToAppend } from '@whetstone/contracts';
import {
  createTopicView,
  type EventLog,
  encodeMessage,
  type TopicView,
  toSpansLogEvent,
  toUploadLogEvent,
  type UploadKey,
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

/** Keeps the key ring in step with the keys topic. */
export function createKeyView({ ring, ...deps }: KeyViewDeps): TopicView {
  return createTopicView<KeyEvent>({ ...deps, topic: topics.keys.name, name: 'keys', apply: ring.apply });
}

const topic = topics.uploads.name;

/** `keyFor`: the key that encrypts the uploads of a collection; without it they are appended as they are. */
export async function appendUpload(
  log: Pick<EventLog, 'append'>,
  upload: UploadToAppend,
  keyFor?: () => Promise<UploadKey>,
): Promise<void> {
  await withSpan(`send ${topic}`, { kind: 'producer' }, async () => {
    const dataKey = await keyFor?.();
    await log.append(topic, await toUploadLogEvent(upload, traceHeaders(), dataKey));
  });
}

/** The same for spans, which are encrypted like uploads. */
export async function appendSpans(
  log: Pick<EventLog, 'append'>,
  { spans, trace }: { spans: UploadToAppend; trace: TraceOfSpans },
  keyFor?: () => Promise<UploadKey>,
): Promise<void> {
  await log.append(topics.spans.name, await toSpansLogEvent(spans, trace, await keyFor?.()));
}

export async function appendKeyEvent(log: Pick<EventLog, 'append'>, event: KeyEvent): Promise<void> {
  const topic = topics.keys.name;
  await withSpan(`send ${topic}`, { kind: 'producer' }, async () =>
    log.append(topic, { key: keyOfKeyEvent(event), value: await encodeMessage(event) }),
  );
}
