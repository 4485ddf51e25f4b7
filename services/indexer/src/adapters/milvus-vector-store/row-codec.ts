import { AppError } from '@whetstone/platform';

import type { StoredDecision } from '../../domain/decisions.js';
import { insightNameOf, isInsightName, lessonIdOf, voteNameOf } from '../../domain/insight-names.js';
import type { DatedVote, FoundInsight, Row, RowHead, RowType } from '../../domain/ports.js';
import { maxTextBytes, rowIdOf } from '../../domain/rows.js';
import { voteOf } from '../../domain/votes.js';
import { splitWords } from '../../domain/words.js';
import { isIdOf, type MilvusRecord } from './queries.js';

/** The parts of a row's id: searches do not return the primary key. */
export const idFields = ['job_id', 'attempt', 'ordinal'];
export const headFields = [...idFields, 'about', 'type', 'accepted_at', 'intent', 'vector'];
export const rowFields = [...headFields, 'text', 'body'];
export const foundFields = [...idFields, 'about', 'intent', 'body'];
/** Of votes and decisions; the intent is empty in votes. */
export const voteFields = [...idFields, 'type', 'accepted_at', 'about', 'token', 'helped', 'intent'];
export const lessonFields = [...voteFields, 'body'];

/**
 * Encodes rows for Milvus. A decision is about its lesson and has its content in the field of the intent, which votes leave
 * empty: so a search reads decisions along with the votes. Throws AppError `invalid_argument` for rows that Milvus
 * would reject or alter.
 */
export function recordsOf(collectionId: string, dimension: number, rows: Row[]): MilvusRecord[] {
  if (new Set(rows.map(({ id }) => id)).size < rows.length) throw refused('Two rows in one request have the same id');
  return rows.map((row) => {
    const { id, jobId, attempt, ordinal, type, acceptedAt, vector } = row;
    if (id !== rowIdOf(collectionId, jobId, attempt, ordinal) || !isIdOf(collectionId, id)) {
      throw refused('A row id must be <collection>/<job>/<attempt>/<ordinal> of its row');
    }
    if (vector.length !== dimension) throw refused(`A vector has ${vector.length} dimensions instead of ${dimension}`);
    if (row.name && (type !== 'insight' || !isInsightName(row.name))) {
      throw refused('Only insights have names, as nameOfInsight builds them');
    }
    const named = type === 'decision' ? jobId : row.name;
    const { about = named, tokenDigest: token = '', helped = false } = voteOf(row) ?? {};
    const [intent, body] = type === 'decision' ? [row.body, ''] : [row.intent, row.body];
    return {
      id,
      collection_id: collectionId,
      job_id: jobId,
      attempt,
      ordinal,
      type,
      accepted_at: acceptedAt,
      intent: storableText('intent', intent),
      vector,
      about,
      token,
      helped,
      words: type === 'insight' ? encodeWords(row.text, maxTextBytes) : '',
      text: storableText('text', row.text),
      body: storableText('body', body),
    };
  });
}

export function headOf(collectionId: string, record: MilvusRecord): RowHead {
  const { jobId, attempt, ordinal, id } = identityOf(collectionId, record);
  return {
    id,
    name: record['type'] === 'insight' ? String(record['about']) : '',
    collectionId,
    jobId,
    attempt,
    ordinal,
    type: record['type'] as RowType,
    acceptedAt: Number(record['accepted_at']),
    intent: record['type'] === 'decision' ? '' : String(record['intent']),
    vector: vectorOf(record),
  };
}

export function rowOf(collectionId: string, record: MilvusRecord): Row {
  const body = record['type'] === 'decision' ? record['intent'] : record['body'];
  return { ...headOf(collectionId, record), text: String(record['text']), body: String(body) };
}

export function foundOf(collectionId: string, record: MilvusRecord, similarity: number): FoundInsight {
  const { id, jobId, attempt } = identityOf(collectionId, record);
  return { id, jobId, attempt, intent: String(record['intent']), body: String(record['body']), similarity };
}

/** The names that votes on a found insight use. */
export function namesInVotes(record: MilvusRecord): string[] {
  const name = String(record['about']);
  const older = insightNameOf({ jobId: String(record['job_id']), ordinal: Number(record['ordinal']) });
  return name === '' ? [older] : [older, voteNameOf(name)];
}

/** The lessons of a found insight, for decisions. */
export function decisionsAbout(record: MilvusRecord): string[] {
  const name = String(record['about']);
  return name === '' ? [] : [lessonIdOf(name)];
}

export function storedDecisionOf(record: MilvusRecord): StoredDecision {
  return { jobId: String(record['job_id']), attempt: String(record['attempt']), body: String(record['intent']) };
}

export function datedVoteOf(collectionId: string, record: MilvusRecord): DatedVote {
  return {
    id: idOf(collectionId, record),
    about: String(record['about']),
    tokenDigest: String(record['token']),
    helped: record['helped'] === true,
    acceptedAt: Number(record['accepted_at']),
  };
}

export function idOf(collectionId: string, record: MilvusRecord): string {
  return identityOf(collectionId, record).id;
}

export function vectorOf(record: MilvusRecord): Float32Array {
  return Float32Array.from(record['vector'] as number[]);
}

/** Replaces unpaired surrogates; throws if the text is too long. */
export function storableText(name: string, text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length > maxTextBytes) throw refused(`The ${name} of a row exceeds ${maxTextBytes} bytes`);
  return bytes.toString();
}

function identityOf(collectionId: string, record: MilvusRecord) {
  const [jobId, attempt, ordinal] = [String(record['job_id']), String(record['attempt']), Number(record['ordinal'])];
  return { jobId, attempt, ordinal, id: rowIdOf(collectionId, jobId, attempt, ordinal) };
}

function refused(message: string): AppError {
  return new AppError('invalid_argument', message);
}

const plain = /^[a-z0-9]+$/;

/**
 * The words of a text for Milvus's analyzer, encoded as letters and digits, so that every tokenizer keeps them whole
 * and a cluster finds the same words as the local store. Separated by spaces; words beyond `maxBytes` are dropped.
 */
export function encodeWords(text: string, maxBytes: number): string {
  const encoded: string[] = [];
  let bytes = -1;
  for (const word of splitWords(text)) {
    const token = encodeWord(word);
    bytes += token.length + 1;
    if (bytes > maxBytes) break;
    encoded.push(token);
  }
  return encoded.join(' ');
}

/** The first distinct words of a query, encoded. */
export function queryWords(text: string, limit: number): string[] {
  return [...new Set(splitWords(text))].slice(0, limit).map(encodeWord);
}

function encodeWord(word: string): string {
  return plain.test(word) ? word : `x${Buffer.from(word).toString('hex')}`;
}
