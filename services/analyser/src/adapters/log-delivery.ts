import { decodeMessage, jobIdOfUploadEvent, type LogEvent } from '@whetstone/event-log';

import type { Delivery } from '../domain/ports.js';

export function toDelivery(event: LogEvent): Delivery {
  const { key, value } = event;
  return {
    jobId: jobIdOfUploadEvent(event),
    decode: () => decodeMessage(value),
    raw: () => ({ key, value: Buffer.from(value).toString('base64') }),
  };
}
