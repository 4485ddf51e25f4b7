import { Counter, Gauge, Histogram, isAppError, type Registry, settleWithin, withSpan } from '@whetstone/platform';

import type { Embedder, FoundInsights, InsightQuery, VectorStore } from './domain/ports.js';

const fastBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** A metrics scrape waits at most this long for the store. */
const scrapeTimeoutMs = 2000;

/** Counting may query every shard, and sizes change slowly: one result serves all scrapes in this time. */
const sizesTtlMs = 30_000;

interface MeasuredStore {
  store: VectorStore;
  /** False while the store is unavailable, as of the last call. */
  healthy(): boolean;
}

/** Wraps each operation in a metric and a span, and reports the store's size on each scrape. */
export function measuredStore(store: VectorStore, registry: Registry): MeasuredStore {
  let healthy = true;
  const duration = new Histogram({
    name: 'whetstone_vector_operation_duration_seconds',
    help: 'Duration of vector store operations',
    labelNames: ['operation'],
    buckets: fastBuckets,
    registers: [registry],
  });
  const failures = new Counter({
    name: 'whetstone_vector_operation_failures_total',
    help: 'Failed vector store operations, except those cancelled by the caller',
    labelNames: ['operation'],
    registers: [registry],
  });
  const sizes = { rows: 'Rows in the vector store', collections: 'Collections in the vector store' };
  const sizesNow = shareResult({ timeoutMs: scrapeTimeoutMs, ttlMs: sizesTtlMs }, () => trackHealth(store.stats()));
  for (const [name, help] of Object.entries(sizes) as [keyof typeof sizes, string][]) {
    new Gauge({
      name: `whetstone_${name}`,
      help,
      registers: [registry],
      async collect() {
        // An unavailable store must not fail the other metrics.
        this.set((await sizesNow())?.[name] ?? Number.NaN);
      },
    });
  }

  async function trackHealth<Result>(answer: Promise<Result>): Promise<Result> {
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
        return await trackHealth(withSpan(`vector store ${operation}`, { kind: 'client' }, () => run(...given)));
      } catch (error) {
        if (!isAppError(error, 'cancelled')) failures.inc({ operation });
        throw error;
      } finally {
        end();
      }
    };
  };

  const answered = timed('search', (answer: Promise<FoundInsights>) => answer);

  /** Timed from when the vector is ready: embedding is not the store's work. */
  async function search(collectionId: string, query: InsightQuery): Promise<FoundInsights> {
    const answer = store.search(collectionId, query);
    answer.catch(() => undefined);
    await query.vector;
    return answered(answer);
  }

  const measured: VectorStore = {
    ...store,
    countInsights: timed('count_insights', store.countInsights),
    upsert: timed('upsert', store.upsert),
    rowsOfJobs: timed('rows_of_jobs', store.rowsOfJobs),
    rowsNamed: timed('rows_named', store.rowsNamed),
    page: timed('page', store.page),
    pageHeads: timed('page', store.pageHeads),
    deleteRows: timed('delete_rows', store.deleteRows),
    votesOn: timed('votes', store.votesOn),
    lessons: timed('lessons', store.lessons),
    insightsOf: timed('insights_of_lesson', store.insightsOf),
    search,
    addMarker: timed('add_marker', store.addMarker),
    markers: timed('markers', store.markers),
    markerHeads: timed('markers', store.markerHeads),
    listMarkers: timed('markers', store.listMarkers),
    removeMarkers: timed('remove_markers', store.removeMarkers),
    countMarkers: timed('count_markers', store.countMarkers),
    expireMarkers: timed('expire_markers', store.expireMarkers),
    acquireLease: timed('acquire_lease', store.acquireLease),
    releaseLease: timed('release_lease', store.releaseLease),
    listLeases: timed('list_leases', store.listLeases),
  };
  return { store: measured, healthy: () => healthy };
}

interface SharingOptions {
  timeoutMs: number;
  ttlMs: number;
}

/**
 * Shares one result among callers for a while; `undefined` if the result takes too long or fails, and the next call
 * retries.
 */
function shareResult<Answer>(
  { timeoutMs, ttlMs }: SharingOptions,
  query: () => Promise<Answer>,
): () => Promise<Answer | undefined> {
  let pending: Promise<Answer | undefined> | undefined;
  let expiresAtMs = Number.POSITIVE_INFINITY;

  async function load(): Promise<Answer | undefined> {
    expiresAtMs = Number.POSITIVE_INFINITY;
    try {
      const answer = await query();
      expiresAtMs = performance.now() + ttlMs;
      return answer;
    } catch {
      expiresAtMs = 0;
      return undefined;
    }
  }

  return async () => {
    if (performance.now() > expiresAtMs) pending = undefined;
    pending ??= load();
    const answer = pending;
    const { status } = await settleWithin(answer, timeoutMs);
    return status === 'fulfilled' ? answer : undefined;
  };
}

interface MeasuredEmbedder {
  embedder: Embedder;
  healthy(): boolean;
}

/** Measures how long callers wait for a vector. */
export function measuredEmbedder(embedder: Embedder, registry: Registry): MeasuredEmbedder {
  let healthy = true;
  const duration = new Histogram({
    name: 'whetstone_embedding_duration_seconds',
    help: 'Time to get an embedding, including time in the queue',
    buckets: fastBuckets,
    registers: [registry],
  });
  const failures = new Counter({
    name: 'whetstone_embedding_failures_total',
    help: 'Failed embeddings',
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
