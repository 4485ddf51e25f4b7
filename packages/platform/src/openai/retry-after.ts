/** An endpoint that asks for more is asked again after this. */
const longestMs = 5 * 60_000;

/**
 * How long an answer asks to be left alone: `Retry-After` in seconds or as a date, or `retry-after-ms`. Bounded; undefined
 * where it asks for nothing that can be understood.
 */
export function retryAfterMs(headers: Headers | undefined, nowMs: number): number | undefined {
  const asked = milliseconds(headers?.get('retry-after-ms')) ?? fromRetryAfter(headers?.get('retry-after'), nowMs);
  return asked === undefined ? undefined : Math.min(longestMs, Math.max(0, asked));
}

function milliseconds(text: string | null | undefined): number | undefined {
  return text && /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}

function fromRetryAfter(text: string | null | undefined, nowMs: number): number | undefined {
  const seconds = milliseconds(text);
  if (seconds !== undefined) return seconds * 1000;
  const date = Date.parse(text ?? '');
  return Number.isNaN(date) ? undefined : date - nowMs;
}
