import { topics } from '@whetstone/contracts';
import { type EventLog, encodeMessage, uploadKeyOf } from '@whetstone/event-log';
import { traceHeaders, withSpan } from '@whetstone/platform';

import type { DeadLetters } from '../domain/ports.js';

const topic = topics.deadLetters.name;

/** A letter has the key that its upload had, so that it goes the same way when it is replayed. */
export function createLogDeadLetters(log: Pick<EventLog, 'append'>): DeadLetters {
  return {
    async append(letter) {
      const { upload, unreadable } = letter;
      const key = upload ? uploadKeyOf(upload.collectionId, upload.jobId) : unreadable.key;
      const value = await encodeMessage(letter, { gzip: true });
      await withSpan(`send ${topic}`, { kind: 'producer' }, () =>
        log.append(topic, { key, value, headers: traceHeaders() }),
      );
    },
  };
}
