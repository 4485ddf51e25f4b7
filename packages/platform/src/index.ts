export { AppError, type AppErrorOptions, type ErrorCode, isAppError } from './app-error.js';
export { type Clock, createSystemClock } from './clock.js';
export type { CallContext, DependencyHealth, Service, ServiceHealth } from './service.js';
