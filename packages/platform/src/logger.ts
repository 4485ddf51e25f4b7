import pino from 'pino';

import { currentRequestId } from './request-id.js';
import { createTerminalLines } from './terminal-lines.js';
import { currentTraceId } from './tracing.js';

export type Logger = pino.Logger;
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

export interface LoggerOptions {
  /** Each service of a process has a logger of its own. */
  service: string;
  level: LogLevel;
  /** For a person at a terminal; JSON lines otherwise. */
  pretty: boolean;
  /** Standard output unless told otherwise. */
  destination?: pino.DestinationStream & NodeJS.WritableStream;
}

export function createLogger({ service, level, pretty, destination }: LoggerOptions): Logger {
  const options: pino.LoggerOptions = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
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
