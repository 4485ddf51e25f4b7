import { createRequire } from 'node:module';

import type { PinoPretty } from 'pino-pretty';

type Colors = Parameters<PinoPretty.MessageFormatFunc>[3]['colors'];
type LogRecord = Record<string, unknown>;

/** Already part of the line, or of no use at a terminal. */
const leftOut = new Set(['level', 'time', 'service', 'msg', 'err']);

/** Further lines of a record stand below its level, so that no text can pass for a record of its own. */
const newLine = '\n         ';

/**
 * Log records for a terminal, one line each: time of day, level, service, message,
 * fields. An error follows on its own lines, with its stack.
 */
export function createTerminalLines(destination: NodeJS.WritableStream | number): PinoPretty.PrettyStream {
  // Loaded lazily: only a terminal needs it.
  const pinoPretty = createRequire(import.meta.url)('pino-pretty') as typeof PinoPretty;
  return pinoPretty({
    customColors: 'message:reset',
    destination,
    hideObject: true,
    ignore: 'level,time',
    messageFormat: (record, _messageKey, _levelLabel, { colors }) => lineOf(record, colors),
    sync: true,
  });
}

function lineOf(record: LogRecord, colors: Colors): string {
  const parts = [
    colors.dim(timeOfDay(record['time'])),
    levelOf(record['level'], colors),
    colors.dim(String(record['service']).padEnd(10)),
    String(record['msg'] ?? '')
      .split('\n')
      .map(printable)
      .join(newLine),
    colors.dim(fieldsOf(record)),
  ];
  return `${parts.join(' ').trimEnd()}${errorOf(record['err'], colors)}`;
}

function timeOfDay(time: unknown): string {
  return new Date(String(time)).toTimeString().slice(0, 8);
}

function levelOf(level: unknown, colors: Colors): string {
  const paint = { error: colors.red, warn: colors.yellow, debug: colors.blue }[String(level)] ?? colors.green;
  return paint(String(level).padEnd(5));
}

function fieldsOf(record: LogRecord): string {
  return Object.entries(record)
    .filter(([name]) => !leftOut.has(name))
    .map(
      ([name, value]) =>
        `${name}=${typeof value === 'string' && /^[\w.:/-]+$/.test(value) ? value : JSON.stringify(value)}`,
    )
    .join(' ');
}

function errorOf(error: unknown, colors: Colors): string {
  if (typeof error !== 'object' || error === null) return '';
  const { code, message = '', stack = '' } = error as { code?: string; message?: string; stack?: string };
  const title = colors.red(printable(code === undefined ? message : `${code}: ${message}`));
  const trace = stack.split('\n').slice(1);
  return ['', title, ...trace.map((line) => colors.dim(printable(line.trim())))].join(newLine);
}

/** Input must not control the terminal. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, ' ');
}
