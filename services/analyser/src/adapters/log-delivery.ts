import { decodeMessage, type LogEvent } from '@whetstone/event-log';

import type { Delivery } from '../domain/ports.js';

export function toDelivery({ key, value }: LogEvent): Delivery {
  return {
    decode: () => decodeMessage(value),
    raw: () => ({ key, value: Buffer.from(value).toString('base64') }),
  };
}
