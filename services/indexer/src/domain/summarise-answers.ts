import {
  type ArmOutcomes,
  type EnhancementArm,
  type RunTrail,
  shortDigest,
  shortDigestLength,
} from '@whetstone/contracts';
import { newAttempt } from '@whetstone/identity';
import type { Clock } from '@whetstone/platform';

import { erases } from './markers.js';
import type { Row, VectorStore } from './ports.js';
import { type RunBody, readRunBody, summaryJob } from './row-bodies.js';
import { fitJson, maxTextBytes, rowIdOf } from './rows.js';
import { voteVector } from './votes.js';

/** What the uploads of dropped runs report on the answers that they cite. */
export interface AnswerSummary {
  uploads: number;
  /** Uploads without an outcome. */
  untold: number;
  arms: Record<EnhancementArm, ArmOutcomes>;
  /** `shortDigest` of the latest answers with an outcome, without separators: each counts once. */
  tokens: string;
}

const maxTokens = 4_096;

export const noRun: RunTrail = { outcome: 'unknown', judged: true, uses: [], changes: [], steps: [] };

/**
 * Adds what runs report on answers to the collection's summary, before the runs go. It replaces the former summary, so
 * the latest is always whole; the tokens keep a run from counting twice after a crash.
 */
export async function summariseAnswers(
  { store, clock }: { store: VectorStore; clock: Clock },
  collectionId: string,
  runs: readonly Row[],
): Promise<void> {
  const citing = runs.map((row) => ({ row, body: readRunBody(row.body) })).filter(({ body }) => body.cited);
  const [first] = citing;
  if (!first) return;
  const former = await store.rowsOfJobs(collectionId, [summaryJob]);
  const latest = former.at(-1);
  let summary = (latest && readRunBody(latest.body).answers) ?? noAnswers();
  for (const { body } of citing.sort((a, b) => a.row.acceptedAt - b.row.acceptedAt))
    summary = withAnswer(summary, body);
  const attempt = newAttempt(clock, latest?.attempt);
  const body: RunBody = { run: noRun, origin: first.body.origin, answers: summary };
  const row: Row = {
    id: rowIdOf(collectionId, summaryJob, attempt, 0),
    name: '',
    collectionId,
    jobId: summaryJob,
    attempt,
    ordinal: 0,
    type: 'run',
    // Of the first, so that an erasure takes it.
    acceptedAt: Math.min(
      ...[...(latest ? [latest] : []), ...citing.map((one) => one.row)].map((one) => one.acceptedAt),
    ),
    intent: '',
    vector: voteVector(first.row.vector.length),
    text: '',
    body: fitJson(body, maxTextBytes),
  };
  await store.upsert(collectionId, [row]);
  // An erasure since then may have missed it.
  const isErased = (await store.markers(collectionId, row.acceptedAt)).some(erases);
  const replaced = [...former, ...(isErased ? [row] : [])].map(({ id }) => id);
  if (replaced.length > 0) await store.deleteRows(collectionId, replaced);
}

/** Whether the outcome of this answer is in the summary already. */
export function isSummarised({ tokens }: AnswerSummary, tokenDigest: string): boolean {
  const token = shortDigest(tokenDigest);
  for (let at = 0; at < tokens.length; at += shortDigestLength) if (tokens.startsWith(token, at)) return true;
  return false;
}

function withAnswer(summary: AnswerSummary, { run, cited }: RunBody): AnswerSummary {
  if (!cited || isSummarised(summary, cited.tokenDigest)) return summary;
  const uploads = summary.uploads + 1;
  const success = toldBy(run);
  if (success === undefined) return { ...summary, uploads, untold: summary.untold + 1 };
  const { told, succeeded } = summary.arms[cited.arm];
  const tokens = summary.tokens + shortDigest(cited.tokenDigest);
  return {
    ...summary,
    uploads,
    arms: { ...summary.arms, [cited.arm]: { told: told + 1, succeeded: succeeded + (success ? 1 : 0) } },
    tokens: tokens.slice(-maxTokens * shortDigestLength),
  };
}

export function noAnswers(): AnswerSummary {
  const none = { told: 0, succeeded: 0 };
  return { uploads: 0, untold: 0, arms: { recommended: none, holdout: none, nothing_to_say: none }, tokens: '' };
}

/** The outcome, if the caller reported it. */
export function toldBy({ outcome, judged }: Pick<RunTrail, 'outcome' | 'judged'>): boolean | undefined {
  return judged || outcome === 'unknown' ? undefined : outcome === 'success';
}
