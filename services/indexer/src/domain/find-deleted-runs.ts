import type {
  DeletableRun,
  FindDeletedRunsRequest,
  FindDeletedRunsResult,
  Micros,
  RunLessons,
} from '@whetstone/contracts';
import { AppError, type CallContext, type Clock } from '@whetstone/platform';
import { reduceToIntent } from '@whetstone/reading';

import { checkCancelled } from './check-cancelled.js';
import { cosine, embedIntent, reaches } from './intent/similarity.js';
import { lessonsFrom } from './lesson-parts.js';
import { erases, isOfLesson } from './markers.js';
import type { DeletionMarker, Embedder, VectorStore } from './ports.js';
import { comparableTime } from './replace.js';

interface FindDeletedRunsDeps {
  store: Pick<VectorStore, 'markers' | 'lessons'>;
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
    { collectionId, runs, withLessons = false }: FindDeletedRunsRequest,
    { signal }: CallContext,
  ): Promise<FindDeletedRunsResult> {
    if (runs.length > maxRuns) throw new AppError('invalid_argument', `More than ${maxRuns} runs`);
    if (runs.length === 0) return { deleted: [], lessons: [] };
    const now = clock.now();
    const timeOf = ({ acceptedAt }: DeletableRun) => comparableTime(acceptedAt, now);
    const markers = await store.markers(collectionId, Math.min(...runs.map(timeOf)));
    const vectors = new Map<string, Float32Array>();
    const deleted: boolean[] = [];
    for (const run of runs) deleted.push(await isDeleted(run, timeOf(run)));
    return { deleted, lessons: withLessons ? await toldLessons() : [] };

    async function isDeleted(run: DeletableRun, acceptedAt: Micros): Promise<boolean> {
      const later = markers.filter(({ deletedAt }) => deletedAt >= acceptedAt);
      if (later.some(erases)) return true;
      if (run.lessons.length > 0 && undeletedOf(run).length === 0) return true;
      const byIntent = later.filter((marker) => !isOfLesson(marker));
      return byIntent.length > 0 && isNear(byIntent, await vectorOf(run.intent));
    }

    function undeletedOf(run: DeletableRun): string[] {
      const later = markers.filter((marker) => isOfLesson(marker) && marker.deletedAt >= timeOf(run));
      const deletedLessons = new Set(later.map(({ intent }) => intent));
      return run.lessons.filter((lesson) => !deletedLessons.has(lesson));
    }

    async function toldLessons(): Promise<RunLessons[]> {
      // Two insights of a run may be one lesson.
      const told = runs.map((run, at) => (deleted[at] ? [] : [...new Set(undeletedOf(run))]));
      const found = await store.lessons(collectionId, { ids: [...new Set(told.flat())] });
      const titles = new Map(lessonsFrom(found).map(({ id, title }) => [id, title]));
      return told.map((ids) => ({
        lessons: ids.flatMap((id) => {
          const title = titles.get(id);
          return title === undefined ? [] : [{ id, title }];
        }),
      }));
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
