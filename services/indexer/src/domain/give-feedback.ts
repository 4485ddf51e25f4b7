import type { GiveFeedbackRequest, GiveFeedbackResult, Origin, RunTrail } from '@whetstone/contracts';
import { newAttempt } from '@whetstone/identity';
import { type CallContext, type Clock, isAppError } from '@whetstone/platform';

import { checkCancelled } from './check-cancelled.js';
import { isInsightName } from './insight-names.js';
import { erases } from './markers.js';
import type { Embedder, Row, VectorStore } from './ports.js';
import { comparableTime } from './replace.js';
import { feedbackJobOf, type RunBody, readRunBody, summaryJob } from './row-bodies.js';
import { rowIdOf, voteRow } from './rows.js';
import { isSummarised, noAnswers, noRun } from './summarise-answers.js';
import { isTallied, orphanedVotes, voteNameOfCited, voteVector } from './votes.js';

interface GiveFeedbackDeps {
  store: VectorStore;
  embedder: Pick<Embedder, 'model'>;
  clock: Clock;
  /** Called with the votes that stay. */
  onStored?(collectionId: string, rows: readonly Row[]): void;
}

const maxVotes = 16_384;
const notCounted: GiveFeedbackResult = { counted: false };

/**
 * Votes on the insights that an answer showed, as an upload that cites it does, and leaves a run that tells the outcome,
 * for the uplift. Write, then look: a vote withdraws if the answer has an earlier one, or its insight is gone, and the run
 * with the last of them.
 */
export function createGiveFeedback({ store, embedder, clock, onStored }: GiveFeedbackDeps) {
  return async function giveFeedback(
    request: GiveFeedbackRequest,
    { signal }: CallContext,
  ): Promise<GiveFeedbackResult> {
    checkCancelled(signal);
    const { collectionId, tokenDigest, insightIds, arm = 'recommended', success, note, keyId, givenAt } = request;
    const shown = [...new Set(insightIds.flatMap((id) => voteNameOfCited(collectionId, id) ?? []))];
    if ((arm === 'recommended' && shown.length === 0) || !/^[\w-]{1,64}$/.test(tokenDigest)) return notCounted;
    const jobId = feedbackJobOf(tokenDigest);
    const reports = async (): Promise<Pick<Row, 'id' | 'acceptedAt'>[]> => {
      const [votes, runs] = await Promise.all([
        store.votesOn(collectionId, shown, maxVotes),
        store.rowsOfJobs(collectionId, [jobId]),
      ]);
      return [...votes.filter((vote) => vote.tokenDigest === tokenDigest), ...runs];
    };
    const [earlier, insights, summaries] = await Promise.all([
      reports(),
      store.rowsNamed(collectionId, insightIds.filter(isInsightName)),
      store.rowsOfJobs(collectionId, [summaryJob]),
    ]);
    const isTold =
      earlier.some(({ acceptedAt }) => acceptedAt <= givenAt) ||
      insights.some((row) => isTallied(row, { tokenDigest })) ||
      summaries.some(({ body }) => isSummarised(readRunBody(body).answers ?? noAnswers(), tokenDigest));
    if (isTold) return notCounted;

    const attempt = newAttempt(clock);
    const producer = { name: 'person', version: '1' };
    const origin: Origin = { jobId, keyId, acceptedAt: givenAt, bodyDigest: tokenDigest, producer };
    const place = { collectionId, jobId, attempt, acceptedAt: givenAt };
    const { dimension } = embedder.model;
    const run: RunTrail = { ...noRun, outcome: success ? 'success' : 'failure', judged: false };
    const runBody: RunBody = { run, origin, cited: { tokenDigest, arm } };
    const runRow: Row = {
      ...place,
      id: rowIdOf(collectionId, jobId, attempt, 0),
      name: '',
      ordinal: 0,
      type: 'run',
      intent: '',
      vector: voteVector(dimension),
      text: '',
      body: JSON.stringify(runBody),
    };
    const votes = shown.map((about, index) => {
      const vote = { about, tokenDigest, helped: success };
      return voteRow(
        { ...place, ordinal: index + 1 },
        { vote, origin, ...(note !== undefined && { note }) },
        dimension,
      );
    });
    const own = [runRow, ...votes];
    try {
      await store.upsert(collectionId, own);
    } catch (error) {
      if (isAppError(error, 'collection_missing')) return notCounted;
      throw error;
    }

    const [orphaned, markers, cast] = await Promise.all([
      orphanedVotes(store, collectionId, votes),
      store.markers(collectionId, comparableTime(givenAt, clock.now())),
      reports(),
    ]);
    const ids = new Set(own.map(({ id }) => id));
    const isEarlier = ({ id, acceptedAt }: { id: string; acceptedAt: number }) =>
      !ids.has(id) && (acceptedAt < givenAt || (acceptedAt === givenAt && id < runRow.id));
    const isVoid = votes.length > 0 && orphaned.size === votes.length;
    const doomed = isVoid || markers.some(erases) || cast.some(isEarlier) ? [...ids] : [...orphaned];
    if (doomed.length > 0) await store.deleteRows(collectionId, doomed);
    if (markers.some(erases)) await store.removeIfEmpty(collectionId);
    const stored = own.filter(({ id }) => !doomed.includes(id));
    if (stored.length > 0) onStored?.(collectionId, stored);
    return { counted: stored.length > 0 };
  };
}

export type GiveFeedback = ReturnType<typeof createGiveFeedback>;
