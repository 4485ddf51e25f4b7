import pino from 'pino';
import pretty from 'pino-pretty';

import { currentTraceId } from './tracing.js';

export type Logger = pino.Logger;
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

export interface LoggerOptions {
  service: string;
  level: LogLevel;
  /** For a person at a terminal; JSON lines otherwise. */
  pretty: boolean;
}

export function createLogger({ service, level, pretty: forTerminal }: LoggerOptions): Logger {
  const options: pino.LoggerOptions = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    mixin: () => {
      const traceId = currentTraceId();
      return traceId === undefined ? {} : { trace_id: traceId };
    },
  };
  return forTerminal ? pino(options, pretty({ colorize: true, ignore: 'service', sync: true })) : pino(options);
}
