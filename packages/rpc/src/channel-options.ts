import type { ChannelOptions } from '@grpc/grpc-js';

const everyMs = 20_000;

/** Keepalive pings: a machine that vanishes is noticed within half a minute. */
export function keepalive(pingEveryMs: number = everyMs): ChannelOptions {
  return {
    'grpc.keepalive_time_ms': pingEveryMs,
    'grpc.keepalive_timeout_ms': pingEveryMs / 2,
    // Also between calls, so that the next one finds a live connection.
    'grpc.keepalive_permit_without_calls': 1,
  };
}

/**
 * Size limit of one message, in both directions. The largest comes from an upload: the topic takes 8 MiB, compressed,
 * and a body has at most 7 MiB uncompressed; what is stored is at most that, plus the lessons.
 */
export const maxMessageBytes = 16 * 1024 * 1024;
