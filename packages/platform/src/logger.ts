import pino from 'pino';

import { currentRequestId } from './request-id.js';
import { createTerminalLines } from './terminal-lines.js';
import { currentTraceId } from './tracing.js';

export type Logger = pino.Logger;
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

export interface LoggerOptions {
  /** Each service of a process has its own logger. */
  service: string;
  level: LogLevel;
  /** Human-readable lines for a terminal; JSON lines otherwise. */
  pretty: boolean;
  /** Default: standard output. */
  destination?: pino.DestinationStream & NodeJS.WritableStream;
}

export function createLogger({ service, level, pretty, destination }: LoggerOptions): Logger {
  const options: pino.LoggerOptions = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: serializedError },
    mixin: () => {
      const requestId = currentRequestId();
      const traceId = currentTraceId();
      return {
        ...(requestId === undefined ? {} : { request_id: requestId }),
        ...(traceId === undefined ? {} : { trace_id: traceId }),
      };
    },
  };
  if (pretty) return pino(options, createTerminalLines(destination ?? 1));
  return destination ? pino(options, destination) : pino(options);
}

/** As pino writes it, but without a cause that only repeats the error around it. */
function serializedError(error: unknown): unknown {
  if (!isErrorLike(error)) return error;
  return { ...pino.stdSerializers.err(error), message: messageOf(error) };
}

const deepestCause = 10;

function messageOf(error: Error): string {
  const told: string[] = [];
  let cause: unknown = error;
  for (let depth = 0; depth < deepestCause && isErrorLike(cause); depth++) {
    const { message } = cause;
    if (!told.some((earlier) => earlier.includes(message))) told.push(message);
    cause = cause.cause;
  }
  return told.join(': ');
}

/** Errors of another realm, such as a worker's, fail `instanceof`. */
function isErrorLike(value: unknown): value is Error {
  return typeof value === 'object' && value !== null && 'stack' in value && 'message' in value;
}
