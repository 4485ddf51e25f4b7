/** Exports for worker threads, without what only the main thread needs. */
export { AppError, type ErrorCode, isAppError } from './app-error.js';
export { decrypt, encrypt } from './cipher.js';
export { lowerPriority, moved, serveWorker, type WorkerHandlers } from './serve-worker.js';
