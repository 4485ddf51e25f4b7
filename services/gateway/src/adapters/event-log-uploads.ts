import { topics } from '@whetstone/contracts';
import { type EventLog, encodeMessage, uploadKeyOf } from '@whetstone/event-log';
import { traceHeaders } from '@whetstone/platform';

import type { UploadLog } from '../domain/ports.js';

export function createEventLogUploads(log: Pick<EventLog, 'append'>): UploadLog {
  return {
    async append(upload) {
      const value = await encodeMessage(upload, { gzip: true });
      const key = uploadKeyOf(upload.collectionId, upload.jobId);
      await log.append(topics.uploads.name, { key, value, headers: traceHeaders() });
    },
  };
}
