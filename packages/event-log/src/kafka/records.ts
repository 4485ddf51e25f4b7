import type { IHeaders, KafkaMessage, Message } from 'kafkajs';

import type { LogEvent, NewEvent } from '../ports.js';

const nothing = new Uint8Array(0);

export function toLogEvent(topic: string, partition: number, message: KafkaMessage): LogEvent {
  return {
    topic,
    partition,
    offset: Number(message.offset),
    key: message.key?.toString() ?? '',
    value: message.value ?? nothing,
    headers: toTexts(message.headers),
    timestampMs: Number(message.timestamp),
  };
}

/** Kafka headers are bytes and may repeat: the first counts. */
function toTexts(headers: IHeaders = {}): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const first = Array.isArray(value) ? value[0] : value;
    if (first !== undefined) texts[name] = first.toString();
  }
  return texts;
}

/** The Kafka message, and the size of its key, headers and value. Shares the value's memory. */
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

/** One key for all, so that compaction keeps at most one barrier per partition. */
const barrierKey = 'whetstone-barrier';

export const barrierBytes = Buffer.byteLength(barrierKey);

/** A record that moves views past a gap and that no reader hands on. */
export function createBarrier(timestampMs: number): Message {
  return { key: barrierKey, value: Buffer.alloc(0), timestamp: String(timestampMs) };
}

export function isBarrier({ key }: Pick<KafkaMessage, 'key'>): boolean {
  return key?.toString() === barrierKey;
}
