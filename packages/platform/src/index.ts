export { Counter, Gauge, Histogram, Registry } from 'prom-client';
export { AppError, type AppErrorOptions, type ErrorCode, isAppError } from './app-error.js';
export { type Clock, createSystemClock } from './clock.js';
export { type DataFolder, dataFolder } from './data-folder.js';
export { createLogger, type Logger, type LoggerOptions, type LogLevel } from './logger.js';
export { moved, serveWorker, type WorkerHandlers } from './serve-worker.js';
export type { CallContext, DependencyHealth, Service, ServiceHealth } from './service.js';
export { currentTraceId, traceHeaders, withSpan, withTraceFrom } from './tracing.js';
export {
  createWorkerClient,
  type WorkerCallOptions,
  type WorkerClient,
  type WorkerClientOptions,
} from './worker-client.js';
