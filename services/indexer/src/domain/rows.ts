import type { Insight, ReplaceRequest, RunShape } from '@whetstone/contracts';
import { exampleActions } from '@whetstone/reading';

import { isInsightName, nameOfInsight } from './insight-names.js';
import type { PageOptions, Row } from './ports.js';
import { type InsightBody, type RunBody, readInsightBody } from './row-bodies.js';
import { type VoteBody, votesCastBy, voteVector } from './votes.js';

/** Contains the collection, so that collections never share a row; sorts by job, then attempt. */
export function rowIdOf(collectionId: string, jobId: string, attempt: string, ordinal: number): string {
  return `${collectionId}/${jobId}/${attempt}/${ordinal}`;
}

/** Size of a text column in the vector store. */
export const maxTextBytes = 65_535;

/** The row in the current format; the same object if nothing changes. */
export function upgradedRow(row: Row): Row {
  if (row.type !== 'insight') return row;
  const read = readInsightBody(row.body, exampleActions);
  const { run, origin } = read;
  const insight = withEffects(read.insight);
  const name = isInsightName(read.name)
    ? read.name
    : nameOfInsight({ insight, run, intent: row.intent, agentType: origin.agentType });
  const body = fitInsightBody({ ...read, insight, name });
  return body === row.body && row.name === name ? row : { ...row, name, body };
}

/** What this version sees beside what the one saw that stored it. An answer in words does nothing. */
function withEffects(insight: Insight): Insight {
  const { rule, example, effects } = insight;
  const more = rule === 'reply' || example === undefined ? [] : exampleActions(example).effects;
  return { ...insight, effects: [...new Set([...effects, ...more])] };
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
  const runRow: Row = {
    ...common,
    id: id(0),
    name: '',
    ordinal: 0,
    type: 'run',
    text: '',
    body: fitJson(runBody, maxTextBytes),
  };
  const insightRows = insights.map((insight, index): Row => {
    const ordinal = index + 1;
    const name = nameOfInsight({ insight, run, intent, agentType: origin.agentType });
    const body: InsightBody = { name, insight, run: shape, origin };
    const text = cutText(searchableText(intent, insight), maxTextBytes);
    return { ...common, id: id(ordinal), name, ordinal, type: 'insight', text, body: fitInsightBody(body) };
  });
  const voteRows = votesCastBy(request).map((vote, index): Row => {
    const ordinal = insights.length + index + 1;
    return voteRow(
      { collectionId, jobId, attempt, acceptedAt: origin.acceptedAt, ordinal },
      { vote, origin },
      vector.length,
    );
  });
  return [runRow, ...insightRows, ...voteRows];
}

type Place = Pick<Row, 'collectionId' | 'jobId' | 'attempt' | 'ordinal' | 'acceptedAt'>;

export function voteRow(place: Place, body: VoteBody, dimension: number): Row {
  const { collectionId, jobId, attempt, ordinal } = place;
  return {
    ...place,
    id: rowIdOf(collectionId, jobId, attempt, ordinal),
    name: '',
    type: 'vote',
    intent: '',
    vector: voteVector(dimension),
    text: '',
    body: fitJson(body, maxTextBytes),
  };
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

/** Shrinks what a lesson says if it must, never its tally: a count would change. */
export function fitInsightBody({ tally, ...told }: InsightBody): string {
  if (!tally) return fitJson(told, maxTextBytes);
  const left = maxTextBytes - Buffer.byteLength(JSON.stringify({ tally }));
  return JSON.stringify({ ...JSON.parse(fitJson(told, left)), tally });
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
