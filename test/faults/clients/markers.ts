import { randomBytes } from 'node:crypto';

const tagLetters = 8;
const uniqueLetters = 12;
const pattern = new RegExp(`zq([a-p]{${tagLetters}})[a-p]{${uniqueLetters}}`, 'g');

/** Names a place inside the markers of its uploads. */
export function newTag(): string {
  return randomLetters(tagLetters);
}

/** A word for one upload. Letters only: what looks like a number or an id is generalised away before it is stored. */
export function newMarker(tag: string): string {
  return `zq${tag}${randomLetters(uniqueLetters)}`;
}

export interface Marker {
  marker: string;
  tag: string;
}

export function markersIn(text: string): Marker[] {
  return [...text.matchAll(pattern)].map(([marker, tag = '']) => ({ marker, tag }));
}

function randomLetters(count: number): string {
  return [...randomBytes(count)].map((byte) => String.fromCharCode(97 + (byte % 16))).join('');
}
