import type { KafkaMessage, Message } from 'kafkajs';

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
