import type { Insight, ReplaceRequest, RunShape } from '@whetstone/contracts';

import { cutText } from './cut-text.js';
import { fitJson } from './fit-json.js';
import type { Row } from './ports.js';
import { type InsightBody, maxTextBytes, type RunBody } from './row-bodies.js';
import { rowIdOf } from './row-id.js';
import { directionOfVotes, type VoteBody, votesCastBy } from './vote-rows.js';

/**
 * The rows of one attempt: the run first, then its insights, then what its outcome says of insights that it was shown. The run
 * and its insights carry the one intent and its vector, so that they match a deletion together or not at all; a vote goes
 * with the insight that it is on.
 */
export function buildRows(request: ReplaceRequest, intent: string, vector: Float32Array): Row[] {
  const { collectionId, jobId, attempt, run, insights, origin, cited } = request;
  const common = { collectionId, jobId, attempt, acceptedAt: origin.acceptedAt, intent, vector };
  const id = (ordinal: number) => rowIdOf(collectionId, jobId, attempt, ordinal);

  const citing = cited && { cited: { tokenDigest: cited.tokenDigest, arm: cited.arm } };
  const runBody: RunBody = { run, origin, ...citing };
  const shape: RunShape = { outcome: run.outcome, judged: run.judged, uses: run.uses, changes: run.changes };
  const runRow: Row = { ...common, id: id(0), ordinal: 0, type: 'run', text: '', body: fitJson(runBody, maxTextBytes) };
  const insightRows = insights.map((insight, index): Row => {
    const ordinal = index + 1;
    const body: InsightBody = { insight, run: shape, origin };
    const text = cutText(searchableText(intent, insight), maxTextBytes);
    return { ...common, id: id(ordinal), ordinal, type: 'insight', text, body: fitJson(body, maxTextBytes) };
  });
  const voteRows = votesCastBy(request).map((vote, index): Row => {
    const ordinal = insights.length + index + 1;
    const body: VoteBody = { vote, origin };
    const nothing = { intent: '', vector: directionOfVotes(vector.length), text: '' };
    return { ...common, ...nothing, id: id(ordinal), ordinal, type: 'vote', body: fitJson(body, maxTextBytes) };
  });
  return [runRow, ...insightRows, ...voteRows];
}

function searchableText(intent: string, { title, appliesWhen, content, steps, example }: Insight): string {
  return [intent, title, appliesWhen, content, ...steps, example].filter((part) => part !== undefined).join('\n');
}
