import type { Micros } from '@whetstone/contracts';
import type { Clock, Environment } from '@whetstone/platform';

/** What commands use of the process. */
export interface CliIo {
  env: Environment;
  cwd: string;
  clock: Clock;
  /** Resolves when the stream accepts more. */
  stdout(text: string): void | Promise<void>;
  stderr(text: string): void;
  /** Asks the person at the terminal, if there is one. */
  ask?(question: string): Promise<string>;
}

/** Options that every command has. */
export interface CommonOptions {
  data?: string;
  json?: boolean;
}

/** Prints one JSON object for programs, or text for people. */
export async function answer(io: CliIo, { json }: CommonOptions, object: object, text: string): Promise<void> {
  await io.stdout(json ? `${JSON.stringify(object)}\n` : `${text}\n`);
}

/** ISO 8601 in UTC, with microseconds. */
export function timeOf(micros: Micros): string {
  const seconds = new Date(Math.floor(micros / 1000)).toISOString().slice(0, 19);
  return `${seconds}.${String(micros % 1_000_000).padStart(6, '0')}Z`;
}

/** To the second. */
export function shortTimeOf(micros: Micros): string {
  return timeOf(micros).slice(0, 19).replace('T', ' ');
}

export function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [titles, ...rows];
  const widths = titles.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Names and values in two columns. */
export function facts(entries: Record<string, string>): string {
  const width = Math.max(...Object.keys(entries).map((name) => name.length));
  return Object.entries(entries)
    .map(([name, value]) => `  ${name.padEnd(width)}  ${value}`)
    .join('\n');
}
