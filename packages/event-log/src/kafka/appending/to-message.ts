import type { Message } from 'kafkajs';

import type { NewEvent } from '../../ports.js';

/** As it goes to Kafka, and how many bytes its key, headers and value have. Shares the value's memory. */
export function toMessage(
  { key, value, headers = {} }: NewEvent,
  timestampMs: number,
): { message: Message; bytes: number } {
  const { buffer, byteOffset, byteLength } = value;
  let bytes = Buffer.byteLength(key) + byteLength;
  for (const [name, text] of Object.entries(headers)) bytes += Buffer.byteLength(name) + Buffer.byteLength(text);
  const message = {
    key,
    value: Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength),
    headers,
    timestamp: String(timestampMs),
  };
  return { message, bytes };
}
