import { setMaxListeners } from 'node:events';
import { type EnhanceRequest, type EnhanceResult, topics } from '@whetstone/contracts';
import {
  collectionOfUploadKey,
  createDetachedConsumer,
  type EventLog,
  jobIdOfUploadEvent,
  type LogEvent,
} from '@whetstone/event-log';
import type { EnhancementIds, Seal } from '@whetstone/identity';
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

import { createJobLog, toDelivery } from './adapters/job-log.js';
import { createReflectorPool } from './adapters/reflector-pool.js';
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
  clock: Clock;
  logger: Logger;
  registry: Registry;
  /** The reflector in worker threads unless told otherwise. Closed when the analyser stops. */
  producer?: InsightProducer;
  /** From 0 to below 1, for the draw of what is held out; that of the language unless told otherwise. */
  random?: () => number;
  /** As fast as the concurrency allows unless told otherwise. */
  pace?: Pace;
  /** The consumer has stopped for good: the process should end with a non-zero code, so that it is started again. */
  onCrash(error: Error): void;
}

export interface Analyser extends Service {
  api: {
    /** The task with what past runs teach about it. Rejects with what the knowledge base rejects with. */
    enhance(request: EnhanceRequest, call: CallContext): Promise<EnhanceResult>;
  };
}

const consumerGroup = 'whetstone-analyser';

/** Works through the uploads, and answers `enhance`. Both go on without each other's dependencies. */
export function createAnalyser(deps: AnalyserDeps, config: AnalyserConfig): Analyser {
  const { log, logger, registry, onCrash, producer = createReflectorPool(config.reflector) } = deps;
  const processUpload = createProcessUpload(
    {
      ...deps,
      producer,
      ...createJobLog(log),
      observer: createJobMetrics(registry),
    },
    config,
  );
  const consumer = createDetachedConsumer({
    log,
    topic: topics.uploads.name,
    group: consumerGroup,
    laneOf: ({ key }) => collectionOfUploadKey(key),
    // An upload retried with its idempotency key is the same job twice in the log, one message close behind the other.
    serialKeyOf: jobIdOfUploadEvent,
    work,
    concurrency: config.concurrency,
    graceMs: config.stopGraceMs,
    onCrash,
    logger,
    registry,
  });
  let state: 'created' | 'started' | 'stopped' = 'created';

  return {
    api: { enhance: createEnhanceTask({ ...deps, config: config.enhance }) },
    async start() {
      await consumer.start();
      state = 'started';
    },
    async stop() {
      state = 'stopped';
      await consumer.stop();
      await producer.close();
    },
    health: () => ({
      live: consumer.live,
      ready: state === 'started' && consumer.live,
      dependencies: [{ name: 'log', ok: log.healthy() }, ...(producer.dependencies?.() ?? [])],
    }),
  };

  async function work(event: LogEvent, signal: AbortSignal): Promise<void> {
    // The signal is that of a whole partition: as many listeners as there are jobs are no leak.
    setMaxListeners(0, signal);
    await deps.pace?.turn(signal);
    await withTraceFrom(event.headers, () =>
      withSpan(`process ${topics.uploads.name}`, { kind: 'consumer' }, () =>
        withOwnSignal(signal, (own) => processUpload(toDelivery(event, producer), own.signal)),
      ),
    );
  }
}

/**
 * The producer that the configuration asks for: the reflector, or a model where one is named. Only then is its SDK loaded.
 * Rejects with AppError `invalid_argument` where settings of the model contradict each other.
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
