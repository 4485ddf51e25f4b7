import { hash } from 'node:crypto';
import type { Insight, Origin, WriteLessonRequest, WriteLessonResult } from '@whetstone/contracts';
import { newAttempt } from '@whetstone/identity';
import { AppError, type CallContext, type Clock } from '@whetstone/platform';
import { exampleActions, reduceToIntent } from '@whetstone/reading';

import { checkCancelled } from './check-cancelled.js';
import { lessonIdOf, nameOfInsight, personRule } from './insight-names.js';
import { embedIntent } from './intent/similarity.js';
import { lessonsFrom } from './lesson-parts.js';
import type { Embedder, VectorStore } from './ports.js';
import { prepareCollection, writeRows } from './prepare-collection.js';
import { comparableTime, settle } from './replace.js';
import { buildRows, cutText } from './rows.js';

interface WriteLessonDeps {
  store: VectorStore;
  embedder: Embedder;
  clock: Clock;
}

const titleBytes = 80;
const noRun = { outcome: 'success' as const, judged: false, uses: [], changes: [], steps: [] };

/**
 * Stores a lesson that a person wrote: an insight like any other, but without a run. Its name stands for the job, so that
 * writing the same again replaces it.
 */
export function createWriteLesson({ store, embedder, clock }: WriteLessonDeps, limit: number) {
  return async function writeLesson(request: WriteLessonRequest, { signal }: CallContext): Promise<WriteLessonResult> {
    const { collectionId, agentType, keyId, writtenAt } = request;
    const place = { collectionId, acceptedAt: comparableTime(writtenAt, clock.now()) };
    const prepare = () => prepareCollection(store, place, limit);
    if ((await prepare()) === 'erased') throw erased();
    const intent = reduceToIntent(request.appliesWhen);
    const vector = await embedIntent(embedder, intent, 'interactive');
    checkCancelled(signal);

    const insight = insightOf(request);
    const name = nameOfInsight({ insight, run: noRun, intent, agentType });
    const jobId = `person_${name}`;
    const latest = (await store.rowsOfJobs(collectionId, [jobId])).at(-1);
    const origin: Origin = {
      jobId,
      keyId,
      acceptedAt: writtenAt,
      bodyDigest: hash('sha256', JSON.stringify([request.appliesWhen, request.text]), 'base64url'),
      producer: { name: 'person', version: '1' },
      ...(agentType !== undefined && { agentType }),
    };
    const attempt = newAttempt(clock, latest?.attempt);
    const all = buildRows(
      { collectionId, jobId, attempt, intent, run: noRun, insights: [insight], origin },
      intent,
      vector,
    );
    const own = all.filter(({ type }) => type === 'insight');
    if ((await writeRows(store, own, prepare)) === 'erased') throw erased();
    const { outcome } = await settle(store, own, place.acceptedAt);
    if (outcome === 'deleted') throw erased();
    const [lesson] = lessonsFrom(await store.lessons(collectionId, { ids: [lessonIdOf(name)] }));
    if (!lesson) throw erased();
    return { lesson };
  };
}

export type WriteLesson = ReturnType<typeof createWriteLesson>;

function insightOf({ appliesWhen, text, title = firstLine(text), example }: WriteLessonRequest): Insight {
  const read = example === undefined ? { actions: [], effects: [] } : exampleActions(example);
  return {
    kind: 'strategy',
    title,
    appliesWhen,
    content: text,
    steps: [],
    ...(example !== undefined && { example }),
    polarity: 'success',
    evidence: [],
    confidence: 1,
    scope: 'task',
    rule: personRule,
    ...read,
  };
}

function firstLine(text: string): string {
  const [line = ''] = text.trim().split(/\n|(?<=[.!?])\s/, 1);
  return cutText(line, titleBytes);
}

/** A deletion that was made after the lesson was written covers it. */
function erased(): AppError {
  return new AppError('store_unavailable', 'The lesson was deleted while it was written', { retryable: true });
}
