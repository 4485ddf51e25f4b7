import { chmod, copyFile, realpath, rename, rm, stat } from 'node:fs/promises';

import { AppError } from '@whetstone/platform';
import { applyEdits, type JSONPath, modify, type ParseError, parse, printParseErrorCode } from 'jsonc-parser';

import { readIfThere, replaceFile } from './user-folders.js';

/** A change to a settings file; `undefined` as a text means that there is no file. */
export interface SettingsChange {
  path: string;
  before: string | undefined;
  after: string | undefined;
  /** Keep `before` beside the file. A text that has our entries already is no file from before. */
  backUp: boolean;
}

/** An edit that keeps everything else in the text as it is, also its layout. */
export type Edit = (text: string) => string;

/** Adds our entries, in place of older ones. */
export async function planConnect(path: string, add: Edit, remove: Edit): Promise<SettingsChange> {
  const before = await readSettings(path);
  const backUp = before !== undefined && remove(before) === before;
  return { path, before, after: connected(before, add, remove), backUp };
}

/** Brings back the very bytes from before, unless the file was edited since: then takes out our entries only. */
export async function planUndo(path: string, add: Edit, remove: Edit): Promise<SettingsChange> {
  const before = await readSettings(path);
  if (before === undefined || remove(before) === before) return { path, before, after: before, backUp: false };
  const original = await readIfThere(backupOf(path));
  const untouched = connected(original, add, remove) === before;
  return { path, before, after: untouched ? original : remove(before), backUp: false };
}

function connected(text: string | undefined, add: Edit, remove: Edit): string {
  const blank = text === undefined || text.trim() === '';
  return add(blank ? '{}\n' : remove(text));
}

async function readSettings(path: string): Promise<string | undefined> {
  const text = await readIfThere(path);
  if (text === undefined || text.trim() === '') return text;
  const errors: ParseError[] = [];
  const settings: unknown = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first) {
    const line = text.slice(0, first.offset).split('\n').length;
    throw unusable(path, `line ${line} is not valid JSON (${printParseErrorCode(first.error)})`);
  }
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) {
    throw unusable(path, 'it is not a JSON object');
  }
  return text;
}

function unusable(path: string, reason: string): AppError {
  return new AppError('invalid_argument', `${path} was left as it is: ${reason}. Correct the file, then try again`);
}

export function backupOf(path: string): string {
  return `${path}.before-whetstone`;
}

/** Writes the change in one step, beside a backup. A link stays a link, and the file keeps its mode. */
export async function applyChange({ path, before, after, backUp }: SettingsChange, undo: boolean): Promise<void> {
  const target = before === undefined ? path : await realpath(path);
  if (after === undefined) {
    await rm(target);
  } else {
    const mode = before === undefined ? 0o600 : (await stat(target)).mode & 0o777;
    if (backUp) await keepBackup(target, backupOf(path), mode);
    await replaceFile(target, after, mode);
  }
  if (undo) await rm(backupOf(path), { force: true });
}

async function keepBackup(from: string, to: string, mode: number): Promise<void> {
  const draft = `${to}.draft`;
  await copyFile(from, draft);
  await chmod(draft, mode);
  await rename(draft, to);
}

/** Sets a value, or removes it if it is undefined. */
export function edited(text: string, path: JSONPath, value: unknown): string {
  const insertSpaces = !/^\t/m.test(text);
  const tabSize = /^( +)\S/m.exec(text)?.[1]?.length ?? 2;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  return applyEdits(text, modify(text, path, value, { formattingOptions: { insertSpaces, tabSize, eol } }));
}

function settingsIn(text: string): Record<string, unknown> {
  return (parse(text, [], { allowTrailingComma: true }) ?? {}) as Record<string, unknown>;
}

/** An object in the settings, or undefined. Anything else in its place is not ours to overwrite. */
export function objectIn(text: string, name: string): Record<string, unknown> | undefined {
  const value = settingsIn(text)[name];
  if (value === undefined) return undefined;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new AppError('invalid_argument', `Nothing was written: "${name}" in the settings is not an object`);
}

const contextLines = 3;

/** The lines that differ, with a few around them. */
export function diffOf({ path, before, after }: SettingsChange): string {
  const lines = lineDiff(linesOf(before), linesOf(after));
  const near = (at: number) => lines.slice(Math.max(0, at - contextLines), at + contextLines + 1).some(changed);
  const shown: string[] = [];
  lines.forEach((line, at) => {
    if (near(at)) shown.push(line);
    else if (shown.at(-1) !== '…') shown.push('…');
  });
  const name = (text: string | undefined) => (text === undefined ? 'no file' : path);
  return [`--- ${name(before)}`, `+++ ${name(after)}`, ...shown].join('\n');
}

function changed(line: string): boolean {
  return !line.startsWith(' ');
}

function linesOf(text: string | undefined): string[] {
  return text === undefined || text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

/** By the longest common subsequence: settings have few lines. */
function lineDiff(before: readonly string[], after: readonly string[]): string[] {
  const width = after.length + 1;
  const common = new Uint32Array((before.length + 1) * width);
  const commonAt = (from: number, to: number) => common[from * width + to] ?? 0;
  for (let from = before.length - 1; from >= 0; from--) {
    for (let to = after.length - 1; to >= 0; to--) {
      common[from * width + to] =
        before[from] === after[to]
          ? 1 + commonAt(from + 1, to + 1)
          : Math.max(commonAt(from + 1, to), commonAt(from, to + 1));
    }
  }
  const lines: string[] = [];
  let [from, to] = [0, 0];
  while (from < before.length || to < after.length) {
    if (from < before.length && to < after.length && before[from] === after[to]) {
      lines.push(`  ${before[from++]}`);
      to++;
    } else if (from < before.length && (to === after.length || commonAt(from + 1, to) >= commonAt(from, to + 1))) {
      lines.push(`- ${before[from++]}`);
    } else lines.push(`+ ${after[to++]}`);
  }
  return lines;
}
