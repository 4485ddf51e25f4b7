import type { GiveFeedbackRequest, GiveFeedbackResult, Origin } from '@whetstone/contracts';
import { newAttempt } from '@whetstone/identity';
import { type CallContext, type Clock, isAppError } from '@whetstone/platform';

import { checkCancelled } from './check-cancelled.js';
import { isInsightName } from './insight-names.js';
import { erases } from './markers.js';
import type { Embedder, Row, VectorStore } from './ports.js';
import { comparableTime } from './replace.js';
import { voteRow } from './rows.js';
import { isTallied, orphanedVotes, voteNameOfCited } from './votes.js';

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
 * Votes on the insights that an answer showed, as an upload that cites it does. Write, then look: a vote withdraws if the
 * answer has an earlier one, or its insight is gone.
 */
export function createGiveFeedback({ store, embedder, clock, onStored }: GiveFeedbackDeps) {
  return async function giveFeedback(
    { collectionId, tokenDigest, insightIds, success, keyId, givenAt }: GiveFeedbackRequest,
    { signal }: CallContext,
  ): Promise<GiveFeedbackResult> {
    checkCancelled(signal);
    const shown = [...new Set(insightIds.flatMap((id) => voteNameOfCited(collectionId, id) ?? []))];
    if (shown.length === 0 || !/^[\w-]{1,64}$/.test(tokenDigest)) return notCounted;
    const votesOfAnswer = async () =>
      (await store.votesOn(collectionId, shown, maxVotes)).filter((vote) => vote.tokenDigest === tokenDigest);
    const [votes, insights] = await Promise.all([
      votesOfAnswer(),
      store.rowsNamed(collectionId, insightIds.filter(isInsightName)),
    ]);
    const hasVote = votes.some(({ acceptedAt }) => acceptedAt <= givenAt);
    if (hasVote || insights.some((row) => isTallied(row, { tokenDigest }))) return notCounted;

    const jobId = `feedback_${tokenDigest}`;
    const attempt = newAttempt(clock);
    const producer = { name: 'person', version: '1' };
    const origin: Origin = { jobId, keyId, acceptedAt: givenAt, bodyDigest: tokenDigest, producer };
    const place = { collectionId, jobId, attempt, acceptedAt: givenAt };
    const own = shown.map((about, ordinal) => {
      const vote = { about, tokenDigest, helped: success };
      return voteRow({ ...place, ordinal }, { vote, origin }, embedder.model.dimension);
    });
    try {
      await store.upsert(collectionId, own);
    } catch (error) {
      if (isAppError(error, 'collection_missing')) return notCounted;
      throw error;
    }

    const [orphaned, markers, cast] = await Promise.all([
      orphanedVotes(store, collectionId, own),
      store.markers(collectionId, comparableTime(givenAt, clock.now())),
      votesOfAnswer(),
    ]);
    const ids = new Set(own.map(({ id }) => id));
    const isEarlier = ({ id, acceptedAt }: { id: string; acceptedAt: number }) =>
      !ids.has(id) && (acceptedAt < givenAt || (acceptedAt === givenAt && id < (own[0]?.id ?? '')));
    const doomed = markers.some(erases) || cast.some(isEarlier) ? [...ids] : [...orphaned];
    if (doomed.length > 0) await store.deleteRows(collectionId, doomed);
    if (markers.some(erases)) await store.removeIfEmpty(collectionId);
    const stored = own.filter(({ id }) => !doomed.includes(id));
    if (stored.length > 0) onStored?.(collectionId, stored);
    return { counted: stored.length > 0 };
  };
}

export type GiveFeedback = ReturnType<typeof createGiveFeedback>;
