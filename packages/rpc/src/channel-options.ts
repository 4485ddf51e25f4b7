import type { ChannelOptions } from '@grpc/grpc-js';

/** Keepalive of a connection. */
export interface Pings {
  everyMs: number;
  /** A connection without an answer for so long is given up. */
  timeoutMs: number;
}

/** A machine that vanishes is noticed within half a minute. */
const usualPings: Pings = { everyMs: 20_000, timeoutMs: 10_000 };

export function keepalive({ everyMs, timeoutMs }: Pings = usualPings): ChannelOptions {
  return {
    'grpc.keepalive_time_ms': everyMs,
    'grpc.keepalive_timeout_ms': timeoutMs,
    // Also between calls, so that the next one finds a live connection.
    'grpc.keepalive_permit_without_calls': 1,
  };
}

/**
 * Size limit of one message, in both directions. The largest comes from an upload: the topic takes 8 MiB, compressed,
 * and a body has at most 7 MiB uncompressed; what is stored is at most that, plus the lessons.
 */
export const maxMessageBytes = 16 * 1024 * 1024;
