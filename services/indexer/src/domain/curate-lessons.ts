import type {
  ChangeSettingsRequest,
  ChangeSettingsResult,
  DecideLessonRequest,
  DecideLessonResult,
  DeleteLessonRequest,
  DeleteLessonResult,
  GetSettingsRequest,
  GetSettingsResult,
  LessonDecision,
  Micros,
} from '@whetstone/contracts';
import { newAttempt } from '@whetstone/identity';
import { AppError, type CallContext, type Clock } from '@whetstone/platform';

import { checkCancelled } from './check-cancelled.js';
import { foldDecisions, outdated, type SettingsBody, settingsJob, silences } from './decisions.js';
import { deleteUntilNone } from './delete-matching.js';
import { isLessonId, lessonIdOf } from './insight-names.js';
import { lessonsFrom } from './lesson-parts.js';
import { addMarker, deletionTime, erases, lessonMarker, type MarkerLimits } from './markers.js';
import type { Embedder, Row, VectorStore } from './ports.js';
import { prepareCollection, writeRows } from './prepare-collection.js';
import { comparableTime } from './replace.js';
import { maxTextBytes, rowIdOf } from './rows.js';
import { voteVector } from './votes.js';

interface CurateDeps {
  store: VectorStore;
  embedder: Pick<Embedder, 'model'>;
  clock: Clock;
}

interface CurateLimits extends MarkerLimits {
  maxCollectionsPerAccount: number;
}

/** What people do to lessons that were learnt, and to the settings of a collection. */
export function createCurateLessons({ store, embedder, clock }: CurateDeps, limits: CurateLimits) {
  const { dimension } = embedder.model;

  /**
   * Writes a decision, then looks: withdraws it if the collection was erased meanwhile, or if `isWanted` says so. Drops
   * old decisions that no longer count. Returns what counts now, or `undefined` if nothing was written.
   */
  async function record(
    { collectionId, jobId, acceptedAt }: { collectionId: string; jobId: string; acceptedAt: Micros },
    body: LessonDecision | SettingsBody,
    isWanted: () => Promise<boolean>,
  ): Promise<Row[] | undefined> {
    if (Buffer.byteLength(JSON.stringify(body)) > maxTextBytes) {
      throw new AppError('invalid_argument', `A decision has more than ${maxTextBytes} bytes`);
    }
    const place = { collectionId, acceptedAt: comparableTime(acceptedAt, clock.now()) };
    const prepare = () => prepareCollection(store, place, limits.maxCollectionsPerAccount);
    if ((await prepare()) === 'erased') return undefined;
    const latest = (await store.rowsOfJobs(collectionId, [jobId])).at(-1);
    const attempt = newAttempt(clock, latest?.attempt);
    const row = decisionRow({ collectionId, jobId, attempt, acceptedAt, dimension, body });
    if ((await writeRows(store, [row], prepare)) === 'erased') return undefined;
    const [markers, wanted, rows] = await Promise.all([
      store.markers(collectionId, place.acceptedAt),
      isWanted(),
      store.rowsOfJobs(collectionId, [jobId]),
    ]);
    const erased = markers.some(erases);
    const withdrawn = erased || !wanted;
    const doomed = withdrawn ? [row] : outdated(rows);
    if (doomed.length > 0) {
      await store.deleteRows(
        collectionId,
        doomed.map(({ id }) => id),
      );
    }
    if (erased) await store.removeIfEmpty(collectionId);
    return withdrawn ? undefined : rows;
  }

  async function lessonOf(collectionId: string, lesson: string) {
    return lessonsFrom(await store.lessons(collectionId, { ids: [lesson] }))[0];
  }

  return {
    async decideLesson(
      { collectionId, decision }: DecideLessonRequest,
      { signal }: CallContext,
    ): Promise<DecideLessonResult> {
      checkCancelled(signal);
      const { lesson: id, decidedAt } = decision;
      if (!isLessonId(id) || !(await lessonOf(collectionId, id))) return {};
      const place = { collectionId, jobId: id, acceptedAt: decidedAt };
      await record(place, decision, async () => silences(decision) || Boolean(await lessonOf(collectionId, id)));
      const lesson = await lessonOf(collectionId, id);
      return lesson ? { lesson } : {};
    },

    /** Like a deletion by intent, of one lesson and the runs that taught nothing else. */
    async deleteLesson(
      { collectionId, lesson, requestedAt }: DeleteLessonRequest,
      { signal }: CallContext,
    ): Promise<DeleteLessonResult> {
      checkCancelled(signal);
      if (!isLessonId(lesson)) return { deletedCount: 0 };
      const deletedAt = deletionTime(requestedAt, clock.now());
      await addMarker(store, lessonMarker(collectionId, lesson, deletedAt, dimension), limits);
      const matches = ({ name }: { name: string }) => name !== '' && lessonIdOf(name) === lesson;
      const target = { collectionId, matches, signal, withRuns: true };
      return { deletedCount: await deleteUntilNone(store, target, deletedAt) };
    },

    async getSettings({ collectionId }: GetSettingsRequest, { signal }: CallContext): Promise<GetSettingsResult> {
      checkCancelled(signal);
      return { settings: foldDecisions(await store.rowsOfJobs(collectionId, [settingsJob])).settings };
    },

    async changeSettings(
      { collectionId, settings, keyId, changedAt }: ChangeSettingsRequest,
      { signal }: CallContext,
    ): Promise<ChangeSettingsResult> {
      checkCancelled(signal);
      const place = { collectionId, jobId: settingsJob, acceptedAt: changedAt };
      const rows = await record(place, { settings, keyId, changedAt }, async () => true);
      return { settings: foldDecisions(rows ?? []).settings };
    },
  };
}

export type CurateLessons = ReturnType<typeof createCurateLessons>;

interface NewDecision {
  collectionId: string;
  jobId: string;
  attempt: string;
  acceptedAt: Micros;
  dimension: number;
  body: LessonDecision | SettingsBody;
}

function decisionRow({ dimension, body, ...place }: NewDecision): Row {
  return {
    ...place,
    id: rowIdOf(place.collectionId, place.jobId, place.attempt, 0),
    name: '',
    ordinal: 0,
    type: 'decision',
    intent: '',
    vector: voteVector(dimension),
    text: '',
    body: JSON.stringify(body),
  };
}
