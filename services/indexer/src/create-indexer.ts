import { type CallContext, type Clock, type Logger, type Registry, type Service, withSpan } from '@whetstone/platform';

import { createDeleteByIntent, type DeleteByIntent } from './domain/delete-by-intent.js';
import type { Embedder, VectorStore } from './domain/ports.js';
import { createReplace, type Replace } from './domain/replace.js';
import { createGetRuns, createSearch, type GetRuns, type Search } from './domain/search.js';
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
  api: { search: Search; getRuns: GetRuns; replace: Replace; deleteByIntent: DeleteByIntent };
}

/** Longer than any upload can be redelivered. */
const markerLifeMicros = 40 * 24 * 60 * 60 * 1_000_000;
const expiryIntervalMs = 60 * 60 * 1000;

/** Stores what was learnt, finds it for a task, and deletes it by intent. */
export function createIndexer(deps: IndexerDeps, config: IndexerConfig): IndexerService {
  const { clock, logger, registry } = deps;
  const { store, healthy: storeIsHealthy } = measuredStore(deps.store, registry);
  const { embedder, healthy: embedderIsHealthy } = measuredEmbedder(deps.embedder, registry);
  const measured = { store, embedder };
  const inFlight = new Set<Promise<unknown>>();
  let state: 'new' | 'started' | 'stopped' = 'new';
  let expiryTimer: NodeJS.Timeout | undefined;

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

  function expireMarkers(): void {
    store
      .expireMarkers(clock.now() - markerLifeMicros)
      .catch((error: unknown) => logger.warn({ err: error }, 'Removing old deletion markers failed; retrying'));
  }

  return {
    api: {
      search: operation('search', createSearch(measured, config)),
      getRuns: operation('get_runs', createGetRuns(measured)),
      replace: operation('replace', createReplace(measured, config)),
      deleteByIntent: operation('delete_by_intent', createDeleteByIntent(measured)),
    },
    async start() {
      if (state !== 'new') return;
      state = 'started';
      expireMarkers();
      expiryTimer = setInterval(expireMarkers, expiryIntervalMs).unref();
    },
    async stop() {
      state = 'stopped';
      clearInterval(expiryTimer);
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
