/** What a worker thread needs, without what only the main thread loads. */
export { AppError, type ErrorCode, isAppError } from './app-error.js';
export { lowerPriority, moved, serveWorker, type WorkerHandlers } from './serve-worker.js';
