import { Counter, Gauge, Histogram, isAppError, type Registry, settleWithin, withSpan } from '@whetstone/platform';

import type { Embedder, FoundInsights, InsightQuery, VectorStore } from './domain/ports.js';

const fastBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Whoever reads the metrics does not wait longer for one of them. */
const scrapeMs = 2000;

/** A store may have to ask every shard for its size, which changes slowly: one answer serves the scrapes of this time. */
const sizesAreGoodForMs = 30_000;

interface MeasuredStore {
  store: VectorStore;
  /** Whether it answered when it was last asked. */
  healthy(): boolean;
}

/** The store, with each operation measured and in a span, and its size read when the metrics are. */
export function measuredStore(store: VectorStore, registry: Registry): MeasuredStore {
  let healthy = true;
  const duration = new Histogram({
    name: 'whetstone_vector_operation_duration_seconds',
    help: 'Time that operations of the vector store take',
    labelNames: ['operation'],
    buckets: fastBuckets,
    registers: [registry],
  });
  const failures = new Counter({
    name: 'whetstone_vector_operation_failures_total',
    help: 'Operations of the vector store that failed; those that their caller gave up are not counted',
    labelNames: ['operation'],
    registers: [registry],
  });
  const sizes = { rows: 'Rows in the vector store', collections: 'Collections in the vector store' };
  const sizesNow = sharedWithin({ limitMs: scrapeMs, goodForMs: sizesAreGoodForMs }, () => noting(store.stats()));
  for (const [name, help] of Object.entries(sizes) as [keyof typeof sizes, string][]) {
    new Gauge({
      name: `whetstone_${name}`,
      help,
      registers: [registry],
      async collect() {
        // A store that is away must not take the other metrics with it.
        this.set((await sizesNow())?.[name] ?? Number.NaN);
      },
    });
  }

  async function noting<Result>(answer: Promise<Result>): Promise<Result> {
    try {
      const result = await answer;
      healthy = true;
      return result;
    } catch (error) {
      if (isAppError(error, 'store_unavailable')) healthy = false;
      throw error;
    }
  }

  const timed = <Arguments extends unknown[], Result>(
    operation: string,
    run: (...given: Arguments) => Promise<Result>,
  ) => {
    duration.zero({ operation });
    failures.inc({ operation }, 0);
    return async (...given: Arguments): Promise<Result> => {
      const end = duration.startTimer({ operation });
      try {
        return await noting(withSpan(`vector store ${operation}`, { kind: 'client' }, () => run(...given)));
      } catch (error) {
        if (!isAppError(error, 'cancelled')) failures.inc({ operation });
        throw error;
      } finally {
        end();
      }
    };
  };

  const answered = timed('search', (answer: Promise<FoundInsights>) => answer);

  /** Measured from when its vector is there: making that is not the store's work. */
  async function search(collectionId: string, query: InsightQuery): Promise<FoundInsights> {
    const answer = store.search(collectionId, query);
    answer.catch(() => undefined);
    await query.vector;
    return answered(answer);
  }

  const measured: VectorStore = {
    ...store,
    upsert: timed('upsert', store.upsert),
    rowsOfJob: timed('rows_of_job', store.rowsOfJob),
    page: timed('page', store.page),
    pageHeads: timed('page', store.pageHeads),
    deleteRows: timed('delete_rows', store.deleteRows),
    votesOn: timed('votes', store.votesOn),
    search,
    addMarker: timed('add_marker', store.addMarker),
    markers: timed('markers', store.markers),
    expireMarkers: timed('expire_markers', store.expireMarkers),
  };
  return { store: measured, healthy: () => healthy };
}

interface SharedWithin {
  limitMs: number;
  goodForMs: number;
}

/** One question for all who ask within some time; undefined where there is no answer soon enough, and then asked again. */
function sharedWithin<Answer>(
  { limitMs, goodForMs }: SharedWithin,
  ask: () => Promise<Answer>,
): () => Promise<Answer | undefined> {
  let asked: Promise<Answer | undefined> | undefined;
  let goodUntilMs = Number.POSITIVE_INFINITY;

  async function askNow(): Promise<Answer | undefined> {
    goodUntilMs = Number.POSITIVE_INFINITY;
    try {
      const answer = await ask();
      goodUntilMs = performance.now() + goodForMs;
      return answer;
    } catch {
      goodUntilMs = 0;
      return undefined;
    }
  }

  return async () => {
    if (performance.now() > goodUntilMs) asked = undefined;
    asked ??= askNow();
    const answer = asked;
    const { status } = await settleWithin(answer, limitMs);
    return status === 'fulfilled' ? answer : undefined;
  };
}

interface MeasuredEmbedder {
  embedder: Embedder;
  healthy(): boolean;
}

/** The embedder, with the time that its callers wait measured. */
export function measuredEmbedder(embedder: Embedder, registry: Registry): MeasuredEmbedder {
  let healthy = true;
  const duration = new Histogram({
    name: 'whetstone_embedding_duration_seconds',
    help: 'Time from asking for an embedding to having it, waiting included',
    buckets: fastBuckets,
    registers: [registry],
  });
  const failures = new Counter({
    name: 'whetstone_embedding_failures_total',
    help: 'Embeddings that could not be made',
    registers: [registry],
  });
  const measured: Embedder = {
    ...embedder,
    async embed(text, priority) {
      const end = duration.startTimer();
      try {
        const vector = await embedder.embed(text, priority);
        healthy = true;
        return vector;
      } catch (error) {
        healthy = false;
        failures.inc();
        throw error;
      } finally {
        end();
      }
    },
  };
  return { embedder: measured, healthy: () => healthy };
}
