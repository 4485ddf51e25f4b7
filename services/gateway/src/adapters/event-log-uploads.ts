import { topics } from '@whetstone/contracts';
import { type EventLog, toUploadLogEvent } from '@whetstone/event-log';
import { traceHeaders } from '@whetstone/platform';

import type { UploadLog } from '../domain/ports.js';

export function createEventLogUploads(log: Pick<EventLog, 'append'>): UploadLog {
  return {
    async append(upload) {
      await log.append(topics.uploads.name, await toUploadLogEvent(upload, traceHeaders()));
    },
  };
}
