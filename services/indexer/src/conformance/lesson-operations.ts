import type { GiveFeedbackRequest, Insight, LessonDecision, ReplaceRequest } from '@whetstone/contracts';

import { consolidateNames } from '../domain/consolidate.js';
import { createCurateLessons } from '../domain/curate-lessons.js';
import { createDeleteByIntent } from '../domain/delete-by-intent.js';
import { createDescribeCollections } from '../domain/describe-collections.js';
import { createEraseCollection } from '../domain/erase-collection.js';
import { createFindDeletedRuns } from '../domain/find-deleted-runs.js';
import { forgetRuns } from '../domain/forget.js';
import { createGetLesson } from '../domain/get-lesson.js';
import { createGiveFeedback } from '../domain/give-feedback.js';
import { lessonIdOf, nameOfInsight } from '../domain/insight-names.js';
import { createListLessons } from '../domain/list-lessons.js';
import type { Row, RowType, VectorStore } from '../domain/ports.js';
import { createGetOutcomes } from '../domain/read-outcomes.js';
import { createReplace } from '../domain/replace.js';
import { scanCollection } from '../domain/scan-collection.js';
import { createSearch } from '../domain/search.js';
import { createWriteLesson } from '../domain/write-lesson.js';
import {
  anInsight,
  aReplacement,
  conformanceClock as clock,
  createDirectionEmbedder,
  generousLimits,
} from './samples.js';

const embedder = createDirectionEmbedder();
export const success = { outcome: 'success' as const, judged: false, uses: [], changes: [], steps: [] };
export const failure = { ...success, outcome: 'failure' as const };

/** An insight whose lesson is this action. */
export function teaching(action: string, given: Partial<Insight> = {}): Insight {
  return anInsight({ title: `Use ${action}`, actions: [action], example: action, ...given });
}

export function nameOf(insight: Insight, intent = 'north', run = success): string {
  return nameOfInsight({ insight, run, intent });
}

export function lessonOf(insight: Insight): string {
  return lessonIdOf(nameOf(insight));
}

/** All operations on a store. */
export function operationsOn(store: VectorStore) {
  const deps = { store, embedder, clock };
  const search = createSearch(deps, { agentTypeBoost: 1 });
  const curate = createCurateLessons(deps, generousLimits);
  const replace = createReplace(deps, generousLimits);
  const always = { settledBefore: Number.POSITIVE_INFINITY, checkLease: () => undefined };
  return {
    ...curate,
    search,
    list: createListLessons({ store, search }),
    get: createGetLesson(deps),
    write: createWriteLesson(deps, Number.POSITIVE_INFINITY),
    feedback: createGiveFeedback(deps),
    deleteByIntent: createDeleteByIntent(deps, generousLimits),
    findDeletedRuns: createFindDeletedRuns(deps),
    describeCollections: createDescribeCollections(deps),
    erase: createEraseCollection(deps, generousLimits),
    upload: (
      collectionId: string,
      insights: Insight[],
      given: Partial<ReplaceRequest> & { acceptedAt?: number } = {},
    ) => replace(aReplacement({ collectionId, insights, run: success, ...given }), {}),
    decide: (collectionId: string, lesson: string, decision: Partial<LessonDecision>) =>
      curate.decideLesson({ collectionId, decision: { lesson, keyId: 'key', decidedAt: 150, ...decision } }, {}),
    outcomes: createGetOutcomes(deps),
    scanAndForget: async (collectionId: string) => {
      const { signal } = new AbortController();
      const { jobs } = await scanCollection(store, collectionId, { agedBefore: 0, signal });
      await forgetRuns({ store, clock }, collectionId, jobs, always);
    },
    consolidate: (collectionId: string, names: string[]) =>
      consolidateNames({ store, clock }, collectionId, names, always),
  };
}

export const find = teaching('find -delete');
export const grep = teaching('grep -r');
export const curl = teaching('curl -f');

export async function rowsOfType(store: VectorStore, collectionId: string, type: RowType): Promise<Row[]> {
  return (await store.page(collectionId, { limit: 1_000 })).filter((row) => row.type === type);
}

export function someFeedback(collectionId: string, insightIds: string[], given: Partial<GiveFeedbackRequest> = {}) {
  return { collectionId, tokenDigest: 'token', insightIds, success: true, keyId: 'key', givenAt: 150, ...given };
}
