import { createRequire } from 'node:module';

import type { PinoPretty } from 'pino-pretty';

type Colors = Parameters<PinoPretty.MessageFormatFunc>[3]['colors'];
type LogRecord = Record<string, unknown>;

/** Told by the line itself, or of no use to a person who is watching. */
const leftOut = new Set(['level', 'time', 'service', 'msg', 'err']);

/** Further lines of a record stand below its level, so that no text can pass for a record of its own. */
const newLine = '\n         ';

/**
 * Log records as a person at a terminal wants them, one line each: the time of day, the level, who speaks, the message,
 * then what belongs to it. An error follows on lines of its own, with its stack.
 */
export function createTerminalLines(destination: NodeJS.WritableStream | number): PinoPretty.PrettyStream {
  // Loaded here and not above: only a terminal needs it.
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

/** What comes from outside must not steer the terminal. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, ' ');
}
