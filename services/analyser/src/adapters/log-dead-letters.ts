import { topics } from '@whetstone/contracts';
import { type EventLog, encodeMessage, uploadKeyOf } from '@whetstone/event-log';
import { traceHeaders } from '@whetstone/platform';

import type { DeadLetters } from '../domain/ports.js';

/** A letter has the key that its upload had, so that it goes the same way when it is replayed. */
export function createLogDeadLetters(log: Pick<EventLog, 'append'>): DeadLetters {
  return {
    async append(letter) {
      const { upload, unreadable } = letter;
      const key = upload ? uploadKeyOf(upload.collectionId, upload.jobId) : unreadable.key;
      const value = await encodeMessage(letter, { gzip: true });
      await log.append(topics.deadLetters.name, { key, value, headers: traceHeaders() });
    },
  };
}
