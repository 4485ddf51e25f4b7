import { setMaxListeners } from 'node:events';
import { type EnhanceRequest, type EnhanceResult, topics } from '@whetstone/contracts';
import {
  collectionOfUploadKey,
  createDetachedConsumer,
  type EventLog,
  jobIdOfUploadEvent,
  type LogEvent,
} from '@whetstone/event-log';
import { type EnhancementIds, prefixOfCollection, type RootSecrets, type Seal } from '@whetstone/identity';
import {
  type CallContext,
  type Clock,
  type Logger,
  type Registry,
  type Service,
  withOwnSignal,
  withSpan,
  withTraceFrom,
} from '@whetstone/platform';

import { createDataKeys } from './adapters/data-keys.js';
import { createJobLog, toDelivery } from './adapters/job-log.js';
import { createReflectorPool } from './adapters/reflector-pool.js';
import { createTraceCollector } from './adapters/trace-collector.js';
import type { AnalyserConfig } from './analyser-config.js';
import { createEnhanceTask } from './domain/answer/enhance-task.js';
import { createProcessUpload } from './domain/jobs/process-upload.js';
import type { InsightProducer, JobLookup, KnowledgeBase, Pace } from './domain/ports.js';
import { createJobMetrics } from './job-metrics.js';

export interface AnalyserDeps {
  log: EventLog;
  knowledge: KnowledgeBase;
  jobs: JobLookup;
  enhancementIds: EnhancementIds;
  seal: Pick<Seal, 'seal'>;
  /** They unwrap the data keys of uploads. */
  roots: RootSecrets;
  clock: Clock;
  logger: Logger;
  registry: Registry;
  /** Defaults to the reflector in worker threads. Closed when the analyser stops. */
  producer?: InsightProducer;
  /** In [0, 1), decides which requests are held out. Defaults to Math.random. */
  random?: () => number;
  /** Without it, jobs start as soon as concurrency allows. */
  pace?: Pace;
  /** The consumer or the view of the data keys has stopped for good: exit with a non-zero code, so that the process is restarted. */
  onCrash(error: Error): void;
}

export interface Analyser extends Service {
  api: {
    /** Rejects with the errors of the knowledge base. */
    enhance(request: EnhanceRequest, call: CallContext): Promise<EnhanceResult>;
  };
}

const consumerGroup = 'whetstone-analyser';

/** Makes uploads of traces, processes uploads and answers `enhance`, independently of each other's dependencies. */
export function createAnalyser(deps: AnalyserDeps, config: AnalyserConfig): Analyser {
  const { log, logger, registry, pace, onCrash, producer = createReflectorPool(config.reflector) } = deps;
  const processUpload = createProcessUpload(
    {
      ...deps,
      producer,
      monotonicMs: () => performance.now(),
      ...createJobLog(log),
      observer: createJobMetrics(registry),
    },
    config,
  );
  const dataKeys = createDataKeys(deps);
  const traces = createTraceCollector({ ...deps, findDataKey: dataKeys.find }, config.traces);
  const consumer = createDetachedConsumer({
    log,
    topic: topics.uploads.name,
    group: consumerGroup,
    laneOf: ({ key }) => {
      const collection = collectionOfUploadKey(key);
      return { account: prefixOfCollection(collection), collection };
    },
    // An upload retried with its idempotency key puts the same job into the log twice, in quick succession.
    serialKeyOf: jobIdOfUploadEvent,
    work,
    concurrency: config.concurrency,
    pace: pace && ((signal) => pace.turn(signal)),
    graceMs: config.stopGraceMs,
    onCrash,
    logger,
    registry,
  });
  let state: 'created' | 'started' | 'stopped' = 'created';

  return {
    api: { enhance: createEnhanceTask({ ...deps, config: config.enhance }) },
    async start() {
      await dataKeys.start();
      await consumer.start();
      await traces.start();
      state = 'started';
    },
    async stop() {
      state = 'stopped';
      await Promise.all([consumer.stop(), traces.stop()]);
      await dataKeys.stop();
      await producer.close();
    },
    health: () => ({
      live: consumer.live && traces.live,
      ready: state === 'started' && consumer.live && traces.live,
      dependencies: [{ name: 'log', ok: log.healthy() }, ...(producer.dependencies?.() ?? [])],
    }),
  };

  async function work(event: LogEvent, signal: AbortSignal): Promise<void> {
    // The signal belongs to a whole partition, so one listener per job is not a leak.
    setMaxListeners(0, signal);
    await withTraceFrom(event.headers, () =>
      withSpan(`process ${topics.uploads.name}`, { kind: 'consumer' }, () =>
        withOwnSignal(signal, (own) => processUpload(toDelivery(event, producer, dataKeys.find), own.signal)),
      ),
    );
  }
}

/**
 * Opens the configured producer: a model if one is named, otherwise the reflector. The SDK is loaded only for a model.
 * Rejects with AppError `invalid_argument` if the model settings contradict each other.
 */
export async function openInsightProducer(
  { reflector, model }: Pick<AnalyserConfig, 'reflector' | 'model'>,
  { logger, registry }: { logger: Logger; registry: Registry },
): Promise<InsightProducer> {
  const pool = createReflectorPool(reflector);
  if (!model) return pool;
  const { openModelProducer } = await import('./adapters/model-producer/model-producer.js');
  return openModelProducer(model, { pool, logger, registry });
}
