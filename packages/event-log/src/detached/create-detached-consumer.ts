import { DetachedConsumer } from './detached-consumer.js';
import type { DetachedConsumerOptions } from './detached-consumer-options.js';

/**
 * Works through a topic, detached from how it is read: events are handed to a bounded fair pool while reading goes on, so
 * that slow work neither costs the membership in the group nor lets one lane block the others.
 */
export function createDetachedConsumer(options: DetachedConsumerOptions): DetachedConsumer {
  return new DetachedConsumer({
    serialKeyOf: () => undefined,
    windowMessages: 256,
    windowBytes: 16 * 1024 * 1024,
    graceMs: 10_000,
    ...options,
  });
}
