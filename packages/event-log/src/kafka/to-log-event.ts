import type { IHeaders, KafkaMessage } from 'kafkajs';

import type { LogEvent } from '../ports.js';

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

/** Kafka's headers are bytes, and one may occur several times: the first counts. */
function toTexts(headers: IHeaders = {}): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const first = Array.isArray(value) ? value[0] : value;
    if (first !== undefined) texts[name] = first.toString();
  }
  return texts;
}
