import type { Micros } from '@whetstone/contracts';
import { prefixOfCollection } from '@whetstone/identity';
import { AppError } from '@whetstone/platform';

import { lessonIdOf } from './insight-names.js';
import { cosine, reaches } from './intent/similarity.js';
import type { DeletionMarker, MarkerHead, RowHead, VectorStore } from './ports.js';
import { hasIntent } from './row-bodies.js';
import { voteVector } from './votes.js';

/** No cosine is lower: a marker with this threshold covers every row, votes included. */
const everything = -1;

/** The marker of an erasure. Its intent and vector have no meaning. */
export function erasingMarker(collectionId: string, deletedAt: Micros, dimension: number): DeletionMarker {
  return { collectionId, intent: '', vector: voteVector(dimension), threshold: everything, deletedAt };
}

export function erases({ threshold }: MarkerHead): boolean {
  return threshold <= everything;
}

/** No cosine is as high: such a marker covers a lesson, and has its id in the place of the intent. */
const oneLesson = 1.5;

export function lessonMarker(
  collectionId: string,
  lesson: string,
  deletedAt: Micros,
  dimension: number,
): DeletionMarker {
  return { collectionId, intent: lesson, vector: voteVector(dimension), threshold: oneLesson, deletedAt };
}

export function isOfLesson({ threshold }: MarkerHead): boolean {
  return threshold >= oneLesson;
}

/**
 * True if the row was accepted no later than the deletion, and is similar enough, belongs to the deleted lesson, or
 * everything was erased. Votes and decisions have no intent; a decision goes with its lesson.
 */
export function covers(marker: DeletionMarker, row: RowHead): boolean {
  if (row.acceptedAt > marker.deletedAt) return false;
  if (erases(marker)) return true;
  if (isOfLesson(marker)) return belongsTo(marker.intent, row);
  return hasIntent(row) && reaches(cosine(marker.vector, row.vector), marker.threshold);
}

function belongsTo(lesson: string, { type, name, jobId }: RowHead): boolean {
  return type === 'decision' ? jobId === lesson : name !== '' && lessonIdOf(name) === lesson;
}

/**
 * True if the later marker covers all that the earlier one covers, whatever the embedding model: it erases everything, or
 * has the same intent, or lesson, and a threshold that is not higher. Strictly later, so that two markers never replace each other.
 */
export function replaces(later: MarkerHead, earlier: MarkerHead): boolean {
  if (later.collectionId !== earlier.collectionId || later.deletedAt <= earlier.deletedAt) return false;
  if (erases(later)) return true;
  const isAlike = isOfLesson(later) === isOfLesson(earlier) && later.intent === earlier.intent;
  return isAlike && later.threshold <= earlier.threshold;
}

export interface MarkerLimits {
  maxDeletionsPerCollection: number;
}

/** An account may have markers in collections that do not exist: they need a limit of their own. */
const collectionsPerAccount = 10;

/**
 * Writes the marker, then removes those it replaces: at any time, what was deleted is covered by one of them. Rejects
 * with AppError `too_many_deletions`; concurrent deletions may exceed the limits by a few.
 */
export async function addMarker(store: VectorStore, marker: DeletionMarker, limits: MarkerLimits): Promise<void> {
  const { collectionId } = marker;
  const [known, ofAccount, exists] = await Promise.all([
    store.markerHeads(collectionId),
    store.countMarkers(prefixOfCollection(collectionId)),
    store.hasCollection(collectionId),
  ]);
  const replaced = known.filter((earlier) => replaces(marker, earlier));
  // Erasing what exists is always possible: there are few such collections.
  const isFree = replaced.length > 0 || (erases(marker) && exists);
  if (!isFree) checkLimits({ known: known.length, ofAccount }, limits);
  await store.addMarker(marker);
  if (replaced.length > 0) await store.removeMarkers(replaced);
}

interface MarkerCounts {
  /** In the collection. */
  known: number;
  ofAccount: number;
}

function checkLimits({ known, ofAccount }: MarkerCounts, { maxDeletionsPerCollection: limit }: MarkerLimits): void {
  if (known >= limit) {
    throw tooMany(
      `The collection remembers ${limit} deletions, the most that is allowed. Erase the collection, repeat an earlier ` +
        'intent with the same or a lower similarity_threshold, or wait: each is remembered for 40 days',
    );
  }
  if (ofAccount >= limit * collectionsPerAccount) {
    throw tooMany(
      `The account's collections together remember ${limit * collectionsPerAccount} deletions, the most that is allowed. Erase collections ` +
        'with many deletions, or wait: each is remembered for 40 days',
    );
  }
}

function tooMany(message: string): AppError {
  return new AppError('too_many_deletions', message);
}

/** Clocks that work differ by less. A time that lies further ahead comes from a clock that has been set back since. */
const furthestAhead: Micros = 24 * 60 * 60 * 1_000_000;

export function isImplausible(time: Micros, now: Micros): boolean {
  return time > now + furthestAhead;
}

/** The time of a deletion: the clock of the caller may be ahead of this one. */
export function deletionTime(requestedAt: Micros, now: Micros): Micros {
  return isImplausible(requestedAt, now) ? now : requestedAt;
}

/**
 * Dates markers from a clock that was ahead back to now, so that they do not cover uploads that are accepted from now
 * on. They still cover whatever was accepted before.
 */
export async function redateMarkers(store: VectorStore, now: Micros): Promise<number> {
  const ahead = await store.listMarkers(now + furthestAhead + 1);
  for (const marker of ahead) await store.addMarker({ ...marker, deletedAt: now });
  if (ahead.length > 0) await store.removeMarkers(ahead);
  return ahead.length;
}
