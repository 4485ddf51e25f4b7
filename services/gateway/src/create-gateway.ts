import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { appendAuditEntry, appendUsage, type EventLog } from '@whetstone/event-log';
import {
  createApiKeys,
  createAuditTrail,
  createEnhancementIds,
  createJobIds,
  createKeyRing,
  createSessions,
  type RootSecrets,
} from '@whetstone/identity';
import { type Clock, type Logger, listen, logSparingly, type Registry, type Service } from '@whetstone/platform';
import { createDataKeys } from './adapters/data-keys.js';
import { appendKeyEvent, appendSpans, appendUpload, createKeyView } from './adapters/event-log.js';
import { createCountUsage } from './domain/count-usage.js';
import { createDeleteByIntent } from './domain/delete-by-intent.js';
import { createEnhanceTask } from './domain/enhance-task.js';
import { createEraseCollection } from './domain/erase-collection.js';
import { createGiveFeedback } from './domain/give-feedback.js';
import { createListCollections } from './domain/list-collections.js';
import { createLookUpJob } from './domain/look-up-job.js';
import { createManageKeys } from './domain/manage-keys.js';
import { createManageLessons } from './domain/manage-lessons.js';
import { createMeasureUplift } from './domain/measure-uplift.js';
import type { ActivityReader, Enhancer, JobLookup, KnowledgeRemover, LessonKeeper } from './domain/ports.js';
import { createReadActivity } from './domain/read-activity.js';
import { createReadRuns } from './domain/read-runs.js';
import { createRedactor } from './domain/redactor.js';
import { createResolveCollection } from './domain/resolve-collection.js';
import { createSubmitSpans } from './domain/submit-spans.js';
import { createSubmitUpload } from './domain/submit-upload.js';
import type { GatewayConfig } from './gateway-config.js';
import { activityOperations } from './http/activity-operations.js';
import { storeBatchOperation } from './http/batch-operation.js';
import { createBodyThreads } from './http/bodies/body-threads.js';
import { createBytesInFlight } from './http/bodies/bytes-in-flight.js';
import { createReadBodies } from './http/bodies/read-bodies.js';
import { limitConnections } from './http/connections.js';
import { createApp } from './http/create-app.js';
import { unmatchedRoute } from './http/exchange.js';
import { createHttpServer } from './http/http-server.js';
import { createJobWaits } from './http/job-waits.js';
import { keyOperations } from './http/key-operations.js';
import { lessonOperations } from './http/lesson-operations.js';
import { createMcpEndpoint } from './http/mcp.js';
import { createHttpMetrics } from './http/observe.js';
import { createOpenAnswers } from './http/open-answers.js';
import {
  deleteByIntentOperation,
  enhanceTaskOperation,
  eraseCollectionOperation,
  knowledgeStatusOperation,
  serviceStatusOperation,
  storeKnowledgeOperation,
} from './http/operations.js';
import { createRateLimiter } from './http/rate-limiter.js';
import { runOperations } from './http/run-operations.js';
import { storeTracesOperation } from './http/traces-operation.js';
import { createWorkLimiter } from './http/work-limiter.js';

export interface GatewayDeps {
  log: Pick<EventLog, 'append' | 'follow' | 'healthy'>;
  analyser: Enhancer;
  indexer: KnowledgeRemover & LessonKeeper;
  status: JobLookup & ActivityReader;
  roots: RootSecrets;
  clock: Clock;
  logger: Logger;
  registry: Registry;
  /** Called when a view of keys has failed for good: the process should exit. */
  onCrash(error: Error): void;
}

/** A crash loses the counts of the time since. */
const reportUsageEveryMs = 10_000;

/** Calls of a key that may wait for the end of a job at once. */
const waitsPerKey = 500;

export interface Gateway extends Service {
  /** `undefined` before the start. */
  readonly address: AddressInfo | undefined;
}

export function createGateway(deps: GatewayDeps, config: GatewayConfig): Gateway {
  const { log, analyser, indexer, status, roots, clock, logger, registry } = deps;
  const { timeoutsMs } = config;
  const apiKeys = createApiKeys(roots);
  const ring = createKeyRing(apiKeys);
  const metrics = createHttpMetrics(registry);
  const openAnswers = createOpenAnswers();
  const jobIds = createJobIds(roots);
  const resolveCollection = createResolveCollection(ring);
  const { redaction } = config;
  const redactor = createRedactor((kind) => metrics.onSecret(kind, 1), redaction);
  const dataKeys = createDataKeys({ log, roots, clock, logger, registry, onCrash }, config.keyHandoverMs);
  const keyFor = config.encryptsUploads ? dataKeys.keyFor : undefined;
  const submitUpload = createSubmitUpload({
    append: (upload, name) => appendUpload(log, upload, keyFor && (() => keyFor(upload.collectionId, name))),
    clock,
    jobIds,
    resolveCollection,
  });
  const submitSpans = createSubmitSpans({
    append: (spans, trace, name) =>
      appendSpans(log, { spans, trace }, keyFor && (() => keyFor(spans.collectionId, name))),
    clock,
    jobIds,
    resolveCollection,
  });
  const enhanceTask = createEnhanceTask({ analyser, clock, keys: ring, resolveCollection });
  const audit = createAuditTrail({
    append: (entry) => appendAuditEntry(log, entry),
    roots,
    clock,
    onUnfinished: (error) => logger.warn({ err: error }, 'Could not record the outcome of an audited action'),
  });
  const countUsage = createCountUsage({
    append: (event) => appendUsage(log, event),
    process: randomBytes(8).toString('hex'),
  });
  const onUsageLost = logSparingly(logger, 'The usage could not be reported; retrying');
  const deleteByIntent = createDeleteByIntent({ audit, indexer, redactor, resolveCollection });
  const eraseCollection = createEraseCollection({ audit, dataKeys, indexer, resolveCollection });
  const manageKeys = createManageKeys({ apiKeys, audit, append: (event) => appendKeyEvent(log, event), clock, ring });
  const remember = async (collectionId: string, name: string | undefined) => keyFor?.(collectionId, name);
  const manageLessons = createManageLessons({ audit, indexer, redactor, resolveCollection, remember });
  const readRuns = createReadRuns({ dataKeys, indexer, jobIds, resolveCollection, status });
  const listCollections = createListCollections({ names: dataKeys, indexer, status });
  const giveFeedback = createGiveFeedback({
    indexer,
    enhancementIds: createEnhancementIds(roots),
    redactor,
    resolveCollection,
  });
  const measureUplift = createMeasureUplift({ indexer, resolveCollection });
  const readActivity = createReadActivity({ roots, status, reportUsage: countUsage.report });
  const lookUpJob = createLookUpJob({ jobIds, status });
  // Those who wait leave half of the connections to the others.
  const waits = createJobWaits({ perKey: waitsPerKey, perProcess: Math.ceil(config.connections.perProcess / 2) });
  const inFlight = createBytesInFlight({
    maxBytes: config.maxBytesInFlight,
    onRefused: (limit) => (limit === 'account' ? metrics.onRateLimited('bytes_in_flight') : metrics.onOverloaded()),
  });
  metrics.observeBytesInFlight(() => inFlight.total);
  const work = createWorkLimiter(config.work);
  const sizes = { maxBytes: config.maxBodyBytes, maxBatchBytes: config.maxBatchBytes };
  const { onOverloaded } = metrics;
  const threads = createBodyThreads({ threads: config.bodyThreads, ...sizes, redaction, logger, onOverloaded });
  const bodies = createReadBodies({
    inFlight,
    threads,
    ...sizes,
    redaction,
    stallMs: config.stallTimeoutMs,
    waitMs: timeoutsMs.store,
    onSecret: metrics.onSecret,
    onWork: work.charge,
  });
  const app = createApp({
    clock,
    docs: config.docs,
    ...(config.console && { console: { sessions: createSessions(roots), lifeMs: config.sessionMs } }),
    keys: ring,
    limiter: createRateLimiter(config.rate),
    work,
    logger,
    metrics,
    openAnswers,
    countUsage: countUsage.add,
    mcp: createMcpEndpoint({
      bodies,
      enhanceTask,
      submitUpload,
      giveFeedback,
      manageLessons,
      timeoutMs: Math.max(timeoutsMs.enhance, timeoutsMs.store),
      logger,
    }),
    operations: [
      storeKnowledgeOperation({ bodies, submitUpload, timeoutMs: timeoutsMs.store }),
      storeBatchOperation({ bodies, submitUpload, timeoutMs: timeoutsMs.batch, logger }),
      storeTracesOperation({ bodies, submitSpans, onSpans: metrics.onSpans, timeoutMs: timeoutsMs.store }),
      enhanceTaskOperation({ bodies, enhanceTask, timeoutMs: timeoutsMs.enhance }),
      knowledgeStatusOperation({ lookUpJob, waits, timeoutMs: timeoutsMs.status }),
      deleteByIntentOperation({ deleteByIntent, timeoutMs: timeoutsMs.delete }),
      eraseCollectionOperation({ eraseCollection, timeoutMs: timeoutsMs.delete }),
      ...lessonOperations({
        bodies,
        manageLessons,
        giveFeedback,
        timeoutMs: timeoutsMs.store,
        deleteTimeoutMs: timeoutsMs.delete,
      }),
      ...runOperations({ readRuns, listCollections, timeoutMs: timeoutsMs.store }),
      ...keyOperations({ bodies, manageKeys, timeoutMs: timeoutsMs.store }),
      ...activityOperations({ readActivity, measureUplift, timeoutMs: timeoutsMs.delete }),
      serviceStatusOperation(),
    ],
  });
  const server = createHttpServer(app, { requestTimeoutMs: config.requestTimeoutMs, onTurnedAway });
  metrics.observeConnections(limitConnections(server, config.connections, metrics.onConnectionRefused));
  openAnswers.watch(server);
  const keys = createKeyView({ log, ring, logger, registry, onCrash });
  let state: 'new' | 'ready' | 'stopped' = 'new';
  let viewsCrashed = false;
  let address: AddressInfo | undefined;
  let usageTimer: NodeJS.Timeout | undefined;

  function onCrash(error: Error): void {
    viewsCrashed = true;
    logger.error({ err: error }, 'Key view failed; stopping, because new and revoked keys would go unnoticed');
    deps.onCrash(error);
  }

  function onTurnedAway(status: number, requestId: string, reason: string | undefined): void {
    metrics.onAnswer('none', unmatchedRoute, status, 0);
    logger.info({ request_id: requestId, status, reason }, 'Refused a malformed or stalled request');
  }

  return {
    get address() {
      return address;
    },
    async start() {
      for (const view of [keys, dataKeys]) await view.start();
      for (const view of [keys, dataKeys]) await view.caughtUp();
      const variables = { host: 'WHETSTONE_HTTP_HOST', port: 'WHETSTONE_HTTP_PORT' };
      usageTimer = setInterval(() => countUsage.report().catch(onUsageLost), reportUsageEveryMs).unref();
      address = await listen(server, { host: config.host, port: config.port, variables });
      state = 'ready';
    },
    drain() {
      openAnswers.drain();
      waits.drain();
    },
    async stop() {
      state = 'stopped';
      waits.drain();
      if (server.listening) {
        openAnswers.closeConnections();
        const closed = new Promise<void>((resolve) => server.close(() => resolve()));
        const closeAll = setTimeout(() => server.closeAllConnections(), config.graceMs);
        await closed;
        clearTimeout(closeAll);
      }
      clearInterval(usageTimer);
      await countUsage.report().catch(onUsageLost);
      await threads.close();
      await Promise.all([keys.stop(), dataKeys.stop()]);
    },
    health: () => ({
      live: !viewsCrashed,
      ready: state === 'ready',
      dependencies: [{ name: 'log', ok: log.healthy() }],
    }),
  };
}
