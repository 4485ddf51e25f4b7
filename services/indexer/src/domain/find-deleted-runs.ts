import type { DeletableRun, FindDeletedRunsRequest, FindDeletedRunsResult, Micros } from '@whetstone/contracts';
import { AppError, type CallContext, type Clock } from '@whetstone/platform';

import { checkCancelled } from './check-cancelled.js';
import { reduceToIntent } from './intent/reduce-to-intent.js';
import { cosine, embedIntent, reaches } from './intent/similarity.js';
import { erases, isOfLesson } from './markers.js';
import type { DeletionMarker, Embedder, VectorStore } from './ports.js';
import { comparableTime } from './replace.js';

interface FindDeletedRunsDeps {
  store: Pick<VectorStore, 'markers'>;
  embedder: Embedder;
  clock: Clock;
}

const maxRuns = 200;

/**
 * Finds the runs that were deleted: what is stored of a run may be gone anyway, so its marker tells. Markers are kept
 * longer than runs are listed. Embeds a task only if something was deleted by intent since it was accepted.
 */
export function createFindDeletedRuns({ store, embedder, clock }: FindDeletedRunsDeps) {
  return async function findDeletedRuns(
    { collectionId, runs }: FindDeletedRunsRequest,
    { signal }: CallContext,
  ): Promise<FindDeletedRunsResult> {
    if (runs.length > maxRuns) throw new AppError('invalid_argument', `More than ${maxRuns} runs`);
    if (runs.length === 0) return { deleted: [] };
    const now = clock.now();
    const timeOf = ({ acceptedAt }: DeletableRun) => comparableTime(acceptedAt, now);
    const markers = await store.markers(collectionId, Math.min(...runs.map(timeOf)));
    const vectors = new Map<string, Float32Array>();
    const deleted: boolean[] = [];
    for (const run of runs) deleted.push(await isDeleted(run, timeOf(run)));
    return { deleted };

    async function isDeleted({ intent, lessons }: DeletableRun, acceptedAt: Micros): Promise<boolean> {
      const later = markers.filter(({ deletedAt }) => deletedAt >= acceptedAt);
      if (later.some(erases)) return true;
      const ofLessons = new Set(later.filter(isOfLesson).map((marker) => marker.intent));
      if (lessons.length > 0 && lessons.every((lesson) => ofLessons.has(lesson))) return true;
      const byIntent = later.filter((marker) => !isOfLesson(marker));
      return byIntent.length > 0 && isNear(byIntent, await vectorOf(intent));
    }

    async function vectorOf(task: string): Promise<Float32Array> {
      checkCancelled(signal);
      const known = vectors.get(task);
      if (known) return known;
      const vector = await embedIntent(embedder, reduceToIntent(task), 'interactive');
      vectors.set(task, vector);
      return vector;
    }
  };
}

export type FindDeletedRuns = ReturnType<typeof createFindDeletedRuns>;

function isNear(markers: readonly DeletionMarker[], vector: Float32Array): boolean {
  return markers.some((marker) => reaches(cosine(marker.vector, vector), marker.threshold));
}
