import { workflowCollectionIdOf } from '@whetstone/identity';
import { type Embedder, openLocalEmbedder, type Row, rowIdOf, type VectorStore } from '@whetstone/indexer';
import { createLogger } from '@whetstone/platform';

import type { Figure } from './report.js';
import { sampleTask } from './samples.js';

const batchSize = 500;
const neighbourhoods = 200;

/** Measures with each number of insights, with one embedder. */
export async function atSizes(
  sizes: readonly number[],
  bench: (size: number, embedder: Embedder) => Promise<Figure[]>,
): Promise<Figure[]> {
  const logger = createLogger({ service: 'bench', level: 'error', pretty: false });
  const embedder = await openLocalEmbedder({ logger });
  const figures: Figure[] = [];
  try {
    for (const size of sizes) figures.push(...(await bench(size, embedder)));
  } finally {
    await embedder.close();
  }
  return figures;
}

export interface Seed {
  account: string;
  /** Of the collection. */
  name?: string;
  count: number;
  /** Each insight is a lesson of its own, as lists show them. Otherwise rows have no names, as earlier versions stored them. */
  asLessons?: boolean;
}

/** A task and its vector, which insights are near to. */
export interface Centre {
  intent: string;
  vector: Float32Array;
}

export async function embedCentres(embedder: Embedder, count = neighbourhoods): Promise<Centre[]> {
  const centres: Centre[] = [];
  for (let i = 0; i < count; i++) {
    const intent = sampleTask();
    centres.push({ intent, vector: await embedder.embed(intent, 'background') });
  }
  return centres;
}

/**
 * Fills a collection with insights of tasks like those that are asked for. Each vector is a real one with noise on top: embedding a
 * hundred thousand texts would take longer than everything else together.
 */
export async function seedKnowledge(
  store: Pick<VectorStore, 'createCollection' | 'upsert'>,
  { account, name = 'bench', count, asLessons = false }: Seed,
  centres: readonly Centre[],
): Promise<void> {
  const collectionId = workflowCollectionIdOf(account, name);
  await store.createCollection(collectionId);
  for (let from = 0; from < count; from += batchSize) {
    const size = Math.min(batchSize, count - from);
    const rows = Array.from({ length: size }, (_, index) => {
      const { intent, vector } = centres[(from + index) % centres.length] as Centre;
      const row = insightRow(collectionId, from + index, intent, nearby(vector));
      return asLessons ? { ...row, name: lessonName(from + index) } : row;
    });
    await store.upsert(collectionId, rows);
  }
}

function insightRow(collectionId: string, number: number, intent: string, vector: Float32Array): Row {
  const jobId = `job_${String(number).padStart(9, '0')}`;
  const attempt = '00000000000000001-00000000';
  const insight = {
    kind: 'strategy',
    title: `Select and act in one pass, variant ${number}`,
    content:
      'Let the tool that selects also act on what it has selected: nothing is listed twice and no name is split.',
    steps: [],
    example: `find /srv/data-${number} -name '*.log' -size +10M -delete`,
    polarity: 'success',
    evidence: [2],
    confidence: 0.8,
    scope: 'task',
    rule: 'bench',
    actions: ['find -delete -name -size'],
    effects: ['destroys'],
  };
  const run = { outcome: 'success', judged: false, uses: ['find -name -size -delete'], changes: [] };
  const origin = {
    jobId,
    keyId: 'bench',
    acceptedAt: 1,
    bodyDigest: String(number),
    producer: { name: 'bench', version: '1' },
  };
  return {
    id: rowIdOf(collectionId, jobId, attempt, 1),
    name: '',
    collectionId,
    jobId,
    attempt,
    ordinal: 1,
    type: 'insight',
    acceptedAt: 1,
    intent,
    vector,
    text: `${intent}\n${insight.title}\n${insight.content}\n${insight.example}`,
    body: JSON.stringify({ insight, run, origin }),
  };
}

function lessonName(number: number): string {
  const digits = String(number).padStart(8, '0');
  return `${digits}${digits}.${digits}.${digits}`;
}

function nearby(vector: Float32Array): Float32Array {
  const moved = vector.map((value) => value + (Math.random() - 0.5) * 0.05);
  const length = Math.hypot(...moved);
  return moved.map((value) => value / length);
}
