import type { Micros } from '@whetstone/contracts';

/** UTC, six fractional digits, no zone: `2026-03-05T18:15:37.903173`. */
export function formatMoment(moment: Micros): string {
  const millis = Math.floor(moment / 1000);
  const micros = String(moment - millis * 1000).padStart(3, '0');
  return new Date(millis).toISOString().slice(0, -1) + micros;
}
