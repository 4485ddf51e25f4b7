export { Counter, Gauge, Histogram, Registry } from 'prom-client';
export { AppError, type AppErrorOptions, type ErrorCode, isAppError } from './app-error.js';
export { decrypt, encrypt } from './cipher.js';
export { type Clock, createSystemClock } from './clock.js';
export { type DocumentedProcess, type DocumentedSection, renderConfigurationDocs } from './configuration-docs.js';
export { isTimeAndId, readCursor, writeCursor } from './cursor.js';
export { type DataFolder, dataFolder, readOnlyPathIn } from './data-folder.js';
export { type ListenOptions, listen, listenError } from './listen.js';
export type { ConfigOf, ConfigOfAll, ConfigProperty, ConfigSchema, Environment } from './load-config.js';
export { configOrExit, isServiceLink, loadConfig, loadMergedConfig } from './load-config.js';
export { createLogger, type Logger, type LoggerOptions, type LogLevel } from './logger.js';
export { createOpsServer, type OpsServer, type OpsServerOptions } from './ops-server.js';
export { processConfigSchema } from './process-config.js';
export { collectProcessMetrics } from './process-metrics.js';
export { currentRequestId, withRequestId } from './request-id.js';
export {
  type ProcessPort,
  type RunningProcess,
  type RunProcessOptions,
  runProcess,
  type StopPhase,
} from './run-process.js';
export type { ComposedService, ProcessParts } from './run-service.js';
export { type RunServiceOptions, runService, type ServiceConfig } from './run-service.js';
export { moved, serveWorker, type WorkerHandlers } from './serve-worker.js';
export type { CallContext, DependencyHealth, Service, ServiceHealth } from './service.js';
export { startTelemetry, type TelemetryOptions } from './telemetry.js';
export {
  abortable,
  type BackOff,
  backOffMs,
  logSparingly,
  type RetryOptions,
  retry,
  type Settled,
  settleWithin,
  sleep,
  sleepUntilAborted,
  type TimeoutOptions,
  withOwnSignal,
  withTimeout,
} from './time.js';
export { currentTraceId, type Span, type SpanOptions, traceHeaders, withSpan, withTraceFrom } from './tracing.js';
export {
  createWorkerClient,
  type WorkerCallOptions,
  type WorkerClient,
  type WorkerClientOptions,
} from './worker-client.js';
