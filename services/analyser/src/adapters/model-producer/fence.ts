import { randomBytes } from 'node:crypto';

export type NewMarker = () => string;

/**
 * Puts a text between two lines that it cannot contain: they are drawn anew for each request, after the text was written, and
 * drawn again in the one case in 2^96 that it holds them.
 */
export function fence(text: string, newMarker: NewMarker = randomMarker): { marker: string; fenced: string } {
  let marker = newMarker();
  while (text.includes(marker)) marker = newMarker();
  return { marker, fenced: `${marker}\n${text}\n${marker}` };
}

function randomMarker(): string {
  return `===== ${randomBytes(12).toString('hex')} =====`;
}
