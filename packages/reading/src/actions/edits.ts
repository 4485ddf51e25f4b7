import type { Action, Arguments, Literal } from './action.js';
import { wordsOf } from './call-names.js';

/** An edit in any notation: an action without its text. */
export type Edit = Omit<Action, 'text'> & { kind: 'edit' };

export interface FoundEdits {
  edits: Action[];
  /** The rest of the text. */
  rest: string;
}

const fileKeys = 'path file_path filepath file filename file_name target_file TargetFile'.split(' ');
/** Argument names of a file change, whatever the tool is called. */
const changeKeys = 'old_str new_str old_string new_string diff patch insert_line code_edit edits'.split(' ');
/** Argument names of new file content, for tools named as writers. */
const contentKeys = 'content contents file_text text new_content'.split(' ');
const writing = new Set('write create edit insert append replace overwrite save'.split(' '));

/** Recognises a file edit by its arguments: the file and the change. */
export function editOf(verb: string, args: Arguments): Edit | undefined {
  const fileKey = fileKeys.find((key) => typeof args[key] === 'string');
  if (fileKey === undefined) return undefined;
  const { [fileKey]: file, ...change } = args;
  const does = wordsOf(`${verb} ${typeof args['command'] === 'string' ? args['command'] : ''}`);
  const isWritten = contentKeys.some((key) => key in change) && does.some((word) => writing.has(word));
  if (!isWritten && !changeKeys.some((key) => key in change)) return undefined;
  return { kind: 'edit', verb: 'edit', object: file as string, args: change };
}

export function patchIn(verb: string, args: Arguments): string | undefined {
  if (!wordsOf(verb).join('').includes('patch')) return undefined;
  return Object.values(args).find((value): value is string => typeof value === 'string' && value.includes(beginPatch));
}

/** Text that starts with an edit: a patch, a diff, lines of the open file. */
export function readEdits(text: string): FoundEdits | undefined {
  return readPatch(text) ?? readDiff(text) ?? readLineEdit(text);
}

/** `edit 10:20`, the new lines, `end_of_edit` */
function readLineEdit(text: string): FoundEdits | undefined {
  const lines = text.split('\n');
  const [verb, range, ...more] = (lines[0] ?? '').trim().split(' ');
  const end = lines.findIndex((line) => line.trim() === 'end_of_edit');
  const isRange = range === undefined || range.split(':').every((number) => Number(number) > 0);
  if (verb !== 'edit' || more.length > 0 || !isRange || end < 0) return undefined;
  const args = { ...(range === undefined ? {} : { lines: range }), change: lines.slice(1, end).join('\n') };
  const done: Action = { kind: 'edit', verb: 'edit', args, text: lines.slice(0, end + 1).join('\n') };
  const rest = lines.slice(end + 1).join('\n');
  return { edits: [done], rest: rest.trim() };
}

const beginPatch = '*** Begin Patch';
const endPatch = '*** End Patch';
const patchCall = /^apply_?patch\s*(?:<<-?\s*['"]?(\w{1,40})['"]?|["'])?\s*$/;

/** `*** Begin Patch`, alone or passed to `apply_patch`. After anything else it is part of a script. */
function readPatch(text: string): FoundEdits | undefined {
  const start = text.indexOf(beginPatch);
  const call = start < 0 ? undefined : text.slice(0, start).trim();
  const given = patchCall.exec(call ?? '');
  if (call === undefined || (call !== '' && !given)) return undefined;
  const end = text.indexOf(endPatch, start);
  const stop = end < 0 ? text.length : end + endPatch.length;
  const rest = afterCall(text.slice(stop).trim(), given?.[1]);
  const parts = splitBefore(text.slice(start, stop).split('\n'), (line) => fileOfPatch(line) !== undefined);
  const files = parts.flatMap((lines) => {
    const file = fileOfPatch(lines[0] ?? '');
    return file === undefined ? [] : [{ ...file, body: lines.filter((line) => line !== endPatch).join('\n') }];
  });
  if (files.length === 0) return undefined;
  const alone = rest === '' ? text.trim() : text.slice(0, stop).trim();
  const edits = files.map(({ file, body, isDeleted }) =>
    edit(file, body, files.length === 1 ? alone : `${beginPatch}\n${body}\n${endPatch}`, isDeleted),
  );
  return { edits, rest };
}

/** `*** Update File: src/a.py` */
function fileOfPatch(line: string): { file: string; isDeleted: boolean } | undefined {
  const change = ['Add', 'Update', 'Delete'].find((word) => line.startsWith(`*** ${word} File: `));
  const file = line.slice(line.indexOf(': ') + 2).trim();
  return change === undefined || file === '' ? undefined : { file, isDeleted: change === 'Delete' };
}

/** Drops the terminator of a here-document or quote. */
function afterCall(rest: string, delimiter: string | undefined): string {
  const end = [delimiter ?? '"', '"', "'"].find((mark) => rest.startsWith(mark));
  return rest.slice(end?.length ?? 0).trim();
}

/** A file name followed by search and replace blocks; ignores fences and prose around them. */
export function readSearchReplace(text: string): Action[] | undefined {
  const lines = text.split('\n');
  const edits: Action[] = [];
  let file: string | undefined;
  let start = -1;
  let middle = -1;
  lines.forEach((line, number) => {
    if (isMark(line, '<', 'SEARCH')) {
      start = number;
      middle = -1;
      file = fileNamedAbove(lines, number) ?? file;
    } else if (isMark(line, '=', '') && start >= 0 && middle < 0) middle = number;
    else if (isMark(line, '>', 'REPLACE') && middle >= 0) {
      const block = lines.slice(start, number + 1).join('\n');
      const search = lines.slice(start + 1, middle).join('\n');
      const args = { search, replace: lines.slice(middle + 1, number).join('\n') };
      const done: Action = { kind: 'edit', verb: 'edit', args, text: block };
      edits.push(file === undefined ? done : { ...done, object: file, text: `${file}\n${block}` });
      start = -1;
      middle = -1;
    }
  });
  return edits.length === 0 ? undefined : edits;
}

/** `<<<<<<< SEARCH` */
function isMark(line: string, sign: string, word: string): boolean {
  return line.startsWith(sign.repeat(5)) && line.slice(0, 40).replaceAll(sign, '').trim() === word;
}

function fileNamedAbove(lines: readonly string[], number: number): string | undefined {
  const above = lines.slice(Math.max(0, number - 2), number).reverse();
  const line = above.find((candidate) => !candidate.trimStart().startsWith('```')) ?? '';
  const name = line.trim().replaceAll('`', '').replaceAll('*', '');
  return /^[\w@./\\-]{1,300}$/.test(name) ? name : undefined;
}

const diffStarts = ['diff --git ', '--- ', 'Index: '];
/** Possible starts of a diff line. */
const diffLines = [
  ...['+', '-', ' ', '@', '\\', '='],
  ...[...diffStarts, 'index ', 'new ', 'deleted file ', 'old mode ', 'similarity ', 'rename '],
];

/** A unified diff and nothing else. One action per file. */
function readDiff(text: string): FoundEdits | undefined {
  const lines = text.split('\n');
  if (!beginsWithOne(lines[0] ?? '', diffStarts) || !lines.some((line) => line.startsWith('+++ '))) return undefined;
  if (!lines.every((line) => line === '' || beginsWithOne(line, diffLines))) return undefined;
  const isGit = lines.some((line) => line.startsWith('diff --git '));
  const isHeader = (line: string, number: number) =>
    isGit ? line.startsWith('diff --git ') : line.startsWith('--- ') && lines[number + 1]?.startsWith('+++ ') === true;
  const edits = splitBefore(lines, isHeader).flatMap((part) => {
    const from = pathIn(part.find((line) => line.startsWith('--- ')));
    const to = pathIn(part.find((line) => line.startsWith('+++ ')));
    const whole = part.join('\n').trim();
    return from === undefined && to === undefined ? [] : [edit(to ?? from ?? '', whole, whole, to === undefined)];
  });
  return edits.length === 0 ? undefined : { edits, rest: '' };
}

function beginsWithOne(line: string, starts: readonly string[]): boolean {
  return starts.some((start) => line.startsWith(start));
}

function pathIn(line: string | undefined): string | undefined {
  const path = line?.slice(4, 404).split('\t', 1)[0]?.trim() ?? '';
  if (path === '' || path === '/dev/null') return undefined;
  return path.startsWith('a/') || path.startsWith('b/') ? path.slice(2) : path;
}

function edit(file: string, change: Literal, text: string, isDeleted: boolean): Action {
  return { kind: 'edit', verb: isDeleted ? 'delete' : 'edit', object: file, args: { change }, text };
}

function splitBefore(lines: readonly string[], isStart: (line: string, number: number) => boolean): string[][] {
  const parts: string[][] = [];
  lines.forEach((line, number) => {
    if (isStart(line, number) || parts.length === 0) parts.push([]);
    parts.at(-1)?.push(line);
  });
  return parts;
}
