import { topics } from '@whetstone/contracts';
import { type EventLog, toUploadLogEvent } from '@whetstone/event-log';
import { traceHeaders, withSpan } from '@whetstone/platform';

import type { UploadLog } from '../domain/ports.js';

const topic = topics.uploads.name;

export function createEventLogUploads(log: Pick<EventLog, 'append'>): UploadLog {
  return {
    async append(upload) {
      await withSpan(`send ${topic}`, { kind: 'producer' }, async () =>
        log.append(topic, await toUploadLogEvent(upload, traceHeaders())),
      );
    },
  };
}
