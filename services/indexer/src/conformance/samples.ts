import type { DeleteByIntentRequest, Insight, ReplaceRequest } from '@whetstone/contracts';
import type { Clock } from '@whetstone/platform';

import type { Embedder, FoundInsight, Row, VectorStore } from '../domain/ports.js';
import { rowIdOf } from '../domain/rows.js';
import { type CastVote, voteVector } from '../domain/votes.js';

/** A realistic collection id: the account's part and the collection's own. */
export function aCollection(name: string, account = 'a'): string {
  const letters = Buffer.from(name).toString('hex').padEnd(32, '0').slice(-32);
  return `c${Buffer.from(account).toString('hex').padEnd(16, '0').slice(0, 16)}_${letters}`;
}

export function aRow(collectionId: string, given: Partial<Row> = {}): Row {
  const { jobId = 'job', attempt = '1', ordinal = 1 } = given;
  return {
    id: rowIdOf(collectionId, jobId, attempt, ordinal),
    name: '',
    collectionId,
    jobId,
    attempt,
    ordinal,
    type: 'insight',
    acceptedAt: 1_700_000_000_000_000,
    intent: 'an intent',
    vector: aVector(1),
    text: 'some words',
    body: '{"some":"body"}',
    ...given,
  };
}

/** A name of an insight, as `nameOfInsight` builds them. */
export function aName(lesson: string): string {
  return `${lesson.padEnd(16, '-').slice(0, 16)}.variant-.the_task`;
}

/** A vote as `replace` writes it. */
export function aVote(
  collectionId: string,
  about: string,
  { helped = true, tokenDigest = 'token', ...given }: Partial<Row & CastVote>,
): Row {
  const vote: CastVote = { about, tokenDigest, helped };
  const vector = voteVector(conformanceModel.dimension);
  return aRow(collectionId, { type: 'vote', intent: '', text: '', vector, body: JSON.stringify({ vote }), ...given });
}

/** A unit vector in the plane of the first two axes. */
export function aVector(cosine: number): Float32Array {
  const vector = new Float32Array(conformanceModel.dimension);
  vector[0] = cosine;
  vector[1] = Math.sqrt(1 - cosine ** 2);
  return vector;
}

export function anInsight(given: Partial<Insight> = {}): Insight {
  return {
    kind: 'strategy',
    title: 'A title',
    content: 'What was learnt.',
    steps: [],
    polarity: 'success',
    evidence: [1],
    confidence: 0.7,
    scope: 'task',
    rule: 'a-rule',
    actions: [],
    effects: [],
    ...given,
  };
}

export function aReplacement(given: Partial<ReplaceRequest> & { acceptedAt?: number } = {}): ReplaceRequest {
  const { acceptedAt = 100, jobId = 'job' } = given;
  return {
    collectionId: aCollection('default'),
    jobId,
    attempt: '1',
    intent: 'north',
    run: { outcome: 'success', judged: false, uses: [], changes: [], steps: [] },
    insights: [anInsight(), anInsight({ title: 'Another title' })],
    origin: { jobId, keyId: 'key', acceptedAt, bodyDigest: jobId, producer: { name: 'test', version: '1' } },
    ...given,
  };
}

export function aDeletion(given: Partial<DeleteByIntentRequest> = {}): DeleteByIntentRequest {
  return {
    collectionId: aCollection('default'),
    intent: 'north',
    similarityThreshold: 0.5,
    requestedAt: 200,
    dryRun: false,
    ...given,
  };
}

export const conformanceModel = { name: 'conformance', dimension: 32 };

/** Later than the times of all samples. */
export const conformanceClock: Clock = { now: () => 1_000 };

export const generousLimits = {
  maxCollectionsPerAccount: Number.POSITIVE_INFINITY,
  maxDeletionsPerCollection: Number.POSITIVE_INFINITY,
};

/** Gives a suite its store. Each harness has its own data. */
export interface VectorStoreHarness {
  /** Opens the store for `conformanceModel`; after `close` it opens the same data again. */
  open(): Promise<VectorStore>;
  /** Deletes the data; the store is closed. */
  destroy(): Promise<void>;
}

export interface ConformanceOptions {
  /** Which interleavings to try: all, or this many at random, with a fixed seed. */
  interleavings: 'all' | number;
}

/** The open store while tests run. */
export interface OpenStore {
  readonly store: VectorStore;
  /** Creates a collection and returns its id. */
  create(name: string, account?: string): Promise<string>;
  reopen(): Promise<VectorStore>;
}

/** Hits by vector only. */
export async function byMeaning(
  store: VectorStore,
  collectionId: string,
  vector: Float32Array,
  limit: number,
): Promise<FoundInsight[]> {
  return (await store.search(collectionId, { vector, text: '', limit })).byMeaning;
}

/** Hits by words. */
export async function byWords(
  store: VectorStore,
  collectionId: string,
  text: string,
  limit: number,
): Promise<FoundInsight[]> {
  return (await store.search(collectionId, { vector: aVector(1), text, limit })).byWords;
}

/**
 * Texts with known similarity: `0.8 of north` is a unit vector with that cosine to `north`, and different directions
 * are orthogonal. Any other text is a direction of its own.
 */
export function createDirectionEmbedder(model = conformanceModel): Embedder {
  const { dimension } = model;
  return {
    model,
    async embed(text) {
      const [, share, direction] = /^(\S+) of (.+)$/.exec(text) ?? [undefined, '1', text];
      const vector = new Float32Array(dimension);
      const axis = axisOf(direction as string, dimension);
      vector[axis] = Number(share);
      vector[(axis + 1) % dimension] = Math.sqrt(1 - Number(share) ** 2);
      return vector;
    },
    close: async () => undefined,
  };
}

function axisOf(text: string, dimension: number): number {
  let hash = 0;
  for (const character of text) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) >>> 0;
  return (hash % (dimension / 2)) * 2;
}
