import { type CallContext, type Clock, type Logger, type Registry, type Service, withSpan } from '@whetstone/platform';

import { createDeleteByIntent, type DeleteByIntent } from './domain/delete-by-intent.js';
import type { Embedder, VectorStore } from './domain/ports.js';
import { createReplace, type Replace } from './domain/replace.js';
import { createGetRuns, createSearch, type GetRuns, type Search } from './domain/search.js';
import type { IndexerConfig } from './indexer-config.js';
import { measuredEmbedder, measuredStore } from './measured-adapters.js';
import { scheduleMarkerExpiry } from './schedule-marker-expiry.js';

interface IndexerDeps {
  /** Closed by whoever opened it, after the indexer has stopped. */
  store: VectorStore;
  embedder: Embedder;
  clock: Clock;
  logger: Logger;
  registry: Registry;
}

export interface IndexerService extends Service {
  api: { search: Search; getRuns: GetRuns; replace: Replace; deleteByIntent: DeleteByIntent };
}

/** Embeddings, the vector store, placement, and deletion by intent. */
export function createIndexer(deps: IndexerDeps, config: IndexerConfig): IndexerService {
  const { clock, logger, registry } = deps;
  const { store, healthy: storeIsHealthy } = measuredStore(deps.store, registry);
  const { embedder, healthy: embedderIsHealthy } = measuredEmbedder(deps.embedder, registry);
  const measured = { store, embedder };
  const inFlight = new Set<Promise<unknown>>();
  let state: 'new' | 'started' | 'stopped' = 'new';
  let stopExpiry = () => {};

  /** In a span, and waited for by `stop`. */
  function operation<Request, Result>(name: string, run: (request: Request, call: CallContext) => Promise<Result>) {
    return (request: Request, call: CallContext): Promise<Result> => {
      const running = withSpan(`indexer.${name}`, {}, () => run(request, call));
      inFlight.add(running);
      const done = () => inFlight.delete(running);
      running.then(done, done);
      return running;
    };
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
      stopExpiry = scheduleMarkerExpiry({ store, clock, logger });
    },
    async stop() {
      state = 'stopped';
      stopExpiry();
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
