import { decodeMessage, jobIdOfUploadEvent, type LogEvent } from '@whetstone/event-log';

import type { Delivery } from '../domain/ports.js';

export function toDelivery(event: LogEvent): Delivery {
  const { key, value, timestampMs } = event;
  const jobId = jobIdOfUploadEvent(event);
  return {
    jobId,
    appendedAt: timestampMs * 1000,
    decode: () => decodeMessage(value),
    raw: () => ({
      key,
      value: Buffer.from(value).toString('base64'),
      ...(jobId === undefined ? {} : { jobId }),
    }),
  };
}
