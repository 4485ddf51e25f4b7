import {
  type CitedEnhancement,
  type Insight,
  type Origin,
  type ReadExample,
  type ReplaceRequest,
  type RunShape,
  type RunTrail,
  type StoredInsight,
  typedInsight,
} from '@whetstone/contracts';
import { exampleActions } from '@whetstone/reading';

import type { PageOptions, Row } from './ports.js';
import { type VoteBody, votesCastBy, voteVector } from './votes.js';

/** Contains the collection, so that collections never share a row; sorts by job, then attempt. */
export function rowIdOf(collectionId: string, jobId: string, attempt: string, ordinal: number): string {
  return `${collectionId}/${jobId}/${attempt}/${ordinal}`;
}

export interface InsightBody {
  insight: Insight;
  run: RunShape;
  origin: Origin;
}

export interface RunBody {
  run: RunTrail;
  origin: Origin;
  /** The answer that the run used, if the upload cites one. */
  cited?: Pick<CitedEnhancement, 'tokenDigest' | 'arm'>;
}

/** Size of a text column in the vector store. */
export const maxTextBytes = 65_535;

type Earlier<Shape extends RunShape> = Omit<Shape, 'changes'> & Partial<Pick<Shape, 'changes'>>;

/** Also reads rows of earlier versions, which do not record changes. */
export function readInsightBody(json: string, read?: ReadExample): InsightBody {
  const { insight, run, origin } = JSON.parse(json) as {
    insight: StoredInsight;
    run: Earlier<RunShape>;
    origin: Origin;
  };
  return { insight: typedInsight(insight, read), run: { ...run, changes: run.changes ?? [] }, origin };
}

export function readRunBody(json: string): RunBody {
  const { run, ...rest } = JSON.parse(json) as Omit<RunBody, 'run'> & { run: Earlier<RunTrail> };
  return { ...rest, run: { ...run, changes: run.changes ?? [] } };
}

/** The row in the current format; the same object if nothing changes. */
export function upgradedRow(row: Row): Row {
  if (row.type !== 'insight') return row;
  const body = fitJson(readInsightBody(row.body, exampleActions), maxTextBytes);
  return body === row.body ? row : { ...row, body };
}

/**
 * The rows of one attempt: the run, its insights, then its votes on insights it was shown. The run and its insights
 * share one intent and vector, so that a deletion matches all of them or none; a vote is deleted with its insight.
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
    const nothing = { intent: '', vector: voteVector(vector.length), text: '' };
    return { ...common, ...nothing, id: id(ordinal), ordinal, type: 'vote', body: fitJson(body, maxTextBytes) };
  });
  return [runRow, ...insightRows, ...voteRows];
}

function searchableText(intent: string, { title, appliesWhen, content, steps, example }: Insight): string {
  return [intent, title, appliesWhen, content, ...steps, example].filter((part) => part !== undefined).join('\n');
}

/** Pages through rows in the order of their ids; the last page may be empty. */
export async function* pagesOf<Head extends { id: string }>(
  read: (page: PageOptions) => Promise<Head[]>,
  limit: number,
): AsyncGenerator<Head[]> {
  for (let after: string | undefined; ; ) {
    const page = await read({ limit, ...(after === undefined ? {} : { after }) });
    yield page;
    if (page.length < limit) return;
    after = page.at(-1)?.id;
  }
}

const widest = { textBytes: 16_384, items: 1_024 };
const narrowest = { textBytes: 16, items: 4 };

/**
 * Serialises to at most `maxBytes`. Shrinks a larger value step by step, keeping its shape: long texts keep their
 * beginning, long lists both ends.
 */
export function fitJson(value: unknown, maxBytes: number): string {
  let json = JSON.stringify(value);
  let { textBytes, items } = widest;
  while (Buffer.byteLength(json) > maxBytes && textBytes >= narrowest.textBytes) {
    json = JSON.stringify(shrink(value, textBytes, items));
    textBytes /= 2;
    items = Math.max(narrowest.items, items / 2);
  }
  return json;
}

function shrink(value: unknown, textBytes: number, items: number): unknown {
  if (typeof value === 'string') return cutText(value, textBytes);
  if (Array.isArray(value)) return bothEnds(value, items).map((item) => shrink(item, textBytes, items));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shrink(part, textBytes, items)]));
}

function bothEnds(list: unknown[], items: number): unknown[] {
  return list.length <= items ? list : [...list.slice(0, items / 2), ...list.slice(-items / 2)];
}

/** The longest prefix that fits `maxBytes` of UTF-8 without splitting a character. */
export function cutText(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes) return text;
  const bytes = Buffer.from(text.slice(0, maxBytes));
  let end = Math.min(maxBytes, bytes.length);
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end);
}
