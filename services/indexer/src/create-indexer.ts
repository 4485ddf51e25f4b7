import {
  type CallContext,
  type Clock,
  type Logger,
  type Registry,
  type Service,
  settleWithin,
  withSpan,
} from '@whetstone/platform';

import { createConsolidator } from './consolidator.js';
import { type CurateLessons, createCurateLessons } from './domain/curate-lessons.js';
import { createDeleteByIntent, type DeleteByIntent } from './domain/delete-by-intent.js';
import { createDescribeCollections, type DescribeCollections } from './domain/describe-collections.js';
import { createEraseCollection, type EraseCollection } from './domain/erase-collection.js';
import { createFindDeletedRuns, type FindDeletedRuns } from './domain/find-deleted-runs.js';
import { createGetLesson, type GetLesson } from './domain/get-lesson.js';
import { createGiveFeedback, type GiveFeedback } from './domain/give-feedback.js';
import { createListLessons, type ListLessons } from './domain/list-lessons.js';
import { redateMarkers } from './domain/markers.js';
import type { Embedder, VectorStore } from './domain/ports.js';
import { createGetOutcomes, type GetOutcomes } from './domain/read-outcomes.js';
import { createReplace, type Replace } from './domain/replace.js';
import { createGetRuns, createSearch, type GetRuns, type Search } from './domain/search.js';
import { createWriteLesson, type WriteLesson } from './domain/write-lesson.js';
import type { IndexerConfig } from './indexer-config.js';
import { measuredEmbedder, measuredStore } from './measured-adapters.js';

interface IndexerDeps {
  /** The caller closes it after the indexer has stopped. */
  store: VectorStore;
  embedder: Embedder;
  clock: Clock;
  logger: Logger;
  registry: Registry;
}

export interface IndexerService extends Service {
  api: {
    search: Search;
    getRuns: GetRuns;
    replace: Replace;
    findDeletedRuns: FindDeletedRuns;
    describeCollections: DescribeCollections;
    deleteByIntent: DeleteByIntent;
    eraseCollection: EraseCollection;
    listLessons: ListLessons;
    getLesson: GetLesson;
    writeLesson: WriteLesson;
    giveFeedback: GiveFeedback;
    getOutcomes: GetOutcomes;
  } & CurateLessons;
}

/** Longer than any upload can be redelivered. */
const markerLifeMicros = 40 * 24 * 60 * 60 * 1_000_000;
const tendingIntervalMs = 60 * 60 * 1000;
const tendingRetryMs = 60 * 1000;
/** The start does not wait longer for a store that is away. */
const startTendingMs = 2000;

/** Stores what was learnt, finds it for a task, and deletes it by intent or all at once. */
export function createIndexer(deps: IndexerDeps, config: IndexerConfig): IndexerService {
  const { clock, logger, registry } = deps;
  const { store, healthy: storeIsHealthy } = measuredStore(deps.store, registry);
  const { embedder, healthy: embedderIsHealthy } = measuredEmbedder(deps.embedder, registry);
  const measured = { store, embedder, clock };
  const consolidator = createConsolidator({ store, clock, logger, registry }, config.consolidation);
  const inFlight = new Set<Promise<unknown>>();
  let state: 'new' | 'started' | 'stopped' = 'new';
  let tendingTimer: NodeJS.Timeout | undefined;

  /** Runs in a span; `stop` waits for it. */
  function operation<Request, Result>(name: string, run: (request: Request, call: CallContext) => Promise<Result>) {
    return (request: Request, call: CallContext): Promise<Result> => {
      const running = withSpan(`indexer.${name}`, {}, () => run(request, call));
      inFlight.add(running);
      const done = () => inFlight.delete(running);
      running.then(done, done);
      return running;
    };
  }

  /** Repeats itself until the stop, sooner after a failure. */
  async function tendMarkers(): Promise<void> {
    let nextMs = tendingIntervalMs;
    try {
      const redated = await redateMarkers(store, clock.now());
      if (redated > 0) {
        logger.warn({ markers: redated }, 'Found deletions dated in the future and corrected them; check the clocks');
      }
      await store.expireMarkers(clock.now() - markerLifeMicros);
    } catch (error) {
      nextMs = tendingRetryMs;
      logger.warn({ err: error }, 'Tending deletion markers failed; retrying in a minute');
    }
    if (state === 'started') tendingTimer = setTimeout(() => void tendMarkers(), nextMs).unref();
  }

  const search = createSearch(measured, config);
  const curating = createCurateLessons(measured, config);
  const { maxCollectionsPerAccount } = config;

  return {
    api: {
      search: operation('search', search),
      getRuns: operation('get_runs', createGetRuns(measured)),
      replace: operation('replace', createReplace({ ...measured, onStored: consolidator.note }, config)),
      findDeletedRuns: operation('find_deleted_runs', createFindDeletedRuns(measured)),
      describeCollections: operation('describe_collections', createDescribeCollections(measured)),
      deleteByIntent: operation('delete_by_intent', createDeleteByIntent(measured, config)),
      eraseCollection: operation('erase_collection', createEraseCollection(measured, config)),
      listLessons: operation('list_lessons', createListLessons({ store, search })),
      getLesson: operation('get_lesson', createGetLesson(measured)),
      decideLesson: operation('decide_lesson', curating.decideLesson),
      deleteLesson: operation('delete_lesson', curating.deleteLesson),
      writeLesson: operation('write_lesson', createWriteLesson(measured, maxCollectionsPerAccount)),
      giveFeedback: operation('give_feedback', createGiveFeedback({ ...measured, onStored: consolidator.note })),
      getOutcomes: operation('get_outcomes', createGetOutcomes(measured)),
      getSettings: operation('get_settings', curating.getSettings),
      changeSettings: operation('change_settings', async (request, call) => {
        const changed = await curating.changeSettings(request, call);
        if (request.settings.retentionDays !== undefined) consolidator.scan(request.collectionId);
        return changed;
      }),
    },
    async start() {
      if (state !== 'new') return;
      state = 'started';
      // Before uploads are processed: a marker from the future would swallow them.
      await settleWithin(tendMarkers(), startTendingMs);
      consolidator.start();
    },
    async stop() {
      state = 'stopped';
      clearTimeout(tendingTimer);
      await consolidator.stop();
      await Promise.allSettled(inFlight);
    },
    health: () => ({
      live: true,
      ready: state === 'started',
      dependencies: [
        { name: 'vector store', ok: storeIsHealthy() },
        { name: 'embedder', ok: embedderIsHealthy() },
      ],
    }),
  };
}
