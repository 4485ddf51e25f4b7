import type { ChannelOptions } from '@grpc/grpc-js';

const everyMs = 20_000;

/** Asks a silent connection for a sign of life: a machine that vanished without a word is noticed within half a minute. */
export function keepalive(pingEveryMs: number = everyMs): ChannelOptions {
  return {
    'grpc.keepalive_time_ms': pingEveryMs,
    'grpc.keepalive_timeout_ms': pingEveryMs / 2,
    // Also between calls, so that the next one does not have to find out.
    'grpc.keepalive_permit_without_calls': 1,
  };
}

/**
 * Of one message, either way. The largest is what the analyser sends on from an upload: the topic takes 8 MiB of it, packed,
 * and a body has at most 7 MiB unpacked; what is sent for storing is that at most, plus what was learnt.
 */
export const maxMessageBytes = 16 * 1024 * 1024;
