import type { Insight, Origin, ReplaceRequest, RunTrail } from '@whetstone/contracts';

import { cutText } from './cut-text.js';
import { fitJson } from './fit-json.js';
import type { Row } from './ports.js';
import { rowIdOf } from './row-id.js';

/** What the body of an insight's row says. */
export interface InsightBody {
  insight: Insight;
  origin: Origin;
}

/** What the body of a run's row says. */
export interface RunBody {
  run: RunTrail;
  origin: Origin;
}

/** What a text column of the vector store holds at most. */
export const maxTextBytes = 65_535;

/**
 * The rows of one attempt: the run first, then its insights. All carry the one intent and its vector, so that they match a
 * deletion together or not at all.
 */
export function buildRows(request: ReplaceRequest, intent: string, vector: Float32Array): Row[] {
  const { collectionId, jobId, attempt, run, insights, origin } = request;
  const common = { collectionId, jobId, attempt, acceptedAt: origin.acceptedAt, intent, vector };
  const id = (ordinal: number) => rowIdOf(collectionId, jobId, attempt, ordinal);

  const runBody: RunBody = { run, origin };
  const runRow: Row = { ...common, id: id(0), ordinal: 0, type: 'run', text: '', body: fitJson(runBody, maxTextBytes) };
  const insightRows = insights.map((insight, index): Row => {
    const ordinal = index + 1;
    const body: InsightBody = { insight, origin };
    const text = cutText(searchableText(intent, insight), maxTextBytes);
    return { ...common, id: id(ordinal), ordinal, type: 'insight', text, body: fitJson(body, maxTextBytes) };
  });
  return [runRow, ...insightRows];
}

function searchableText(intent: string, { title, appliesWhen, content, steps, example }: Insight): string {
  return [intent, title, appliesWhen, content, ...steps, example].filter((part) => part !== undefined).join('\n');
}
