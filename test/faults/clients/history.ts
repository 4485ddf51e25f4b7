import { randomBytes } from 'node:crypto';

import type { Place, SentDeletion, SentUpload, Sighting } from '../evidence.js';

/** What all clients of a run sent and saw, and what belongs to whom: every answer is checked against it. */
export interface History {
  uploads: SentUpload[];
  deletions: SentDeletion[];
  sightings: Sighting[];
  leaks: string[];
  oddities: string[];
  /** Attempts to reach another account's data. */
  probes: number;
  /** Markers that answers showed to their owners. At 0, seeing none of others' would prove nothing. */
  ownMarkersSeen: number;
  /** Answers per operation and status. */
  answers: Map<string, number>;
  /** Which account has which keys and jobs. */
  owners: Map<string, string>;
}

export function createHistory(): History {
  return {
    uploads: [],
    deletions: [],
    sightings: [],
    leaks: [],
    oddities: [],
    probes: 0,
    ownMarkersSeen: 0,
    answers: new Map(),
    owners: new Map(),
  };
}

/** Keys and job ids anywhere in a text. */
const names = /\b(?:wst|job)_[0-9a-z_]+/g;

/** Whatever belongs to anybody but the caller, or to another place than the one asked about, is a leak. */
export function witness(history: History, text: string, { account, place }: { account: string; place?: Place }): void {
  for (const { marker, tag } of markersIn(text)) {
    if (tag === place?.tag) history.ownMarkersSeen++;
    else history.leaks.push(`${account} was shown ${marker}, which is not of ${place?.tenantId ?? 'its own'}: ${text}`);
  }
  for (const [name] of text.matchAll(names)) {
    const owner = history.owners.get(name) ?? account;
    if (owner !== account) history.leaks.push(`${account} was shown ${name} of ${owner}: ${text}`);
  }
}

export function countAnswer({ answers }: History, name: string): void {
  answers.set(name, (answers.get(name) ?? 0) + 1);
}

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
