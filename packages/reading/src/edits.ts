import type { Action, Arguments, Literal } from './action.js';
import { wordsOf } from './call-names.js';

/** What an edit is, however it was written: everything of an action but its text. */
export type Edit = Omit<Action, 'text'> & { kind: 'edit' };

export interface FoundEdits {
  edits: Action[];
  /** What the text goes on with. */
  rest: string;
}

const fileKeys = ['path', 'file_path', 'filepath', 'file', 'filename', 'file_name', 'target_file', 'TargetFile'];
/** Keys of a change to a file, whatever the call is named. */
const changeKeys = [
  'old_str',
  'new_str',
  'old_string',
  'new_string',
  'diff',
  'patch',
  'insert_line',
  'code_edit',
  'edits',
];
/** Keys of what a file will hold, where the call is named as one that writes. */
const contentKeys = ['content', 'contents', 'file_text', 'text', 'new_content'];
const writing = new Set(['write', 'create', 'edit', 'insert', 'append', 'replace', 'overwrite', 'save']);
const patchCall = /^apply_?patch\s*(?:<<-?\s*['"]?(\w{1,40})['"]?|["'])?\s*$/;

/** A call that changes a file: by the file and the change among its arguments. */
export function editOf(verb: string, args: Arguments): Edit | undefined {
  const fileKey = fileKeys.find((key) => typeof args[key] === 'string');
  if (fileKey === undefined) return undefined;
  const { [fileKey]: file, ...change } = args;
  const does = wordsOf(`${verb} ${typeof args['command'] === 'string' ? args['command'] : ''}`);
  const isWritten = contentKeys.some((key) => key in change) && does.some((word) => writing.has(word));
  if (!isWritten && !changeKeys.some((key) => key in change)) return undefined;
  return { kind: 'edit', verb: 'edit', object: file as string, args: change };
}

/** The patch that a call applies. */
export function patchIn(verb: string, args: Arguments): string | undefined {
  if (!wordsOf(verb).join('').includes('patch')) return undefined;
  return Object.values(args).find((value): value is string => typeof value === 'string' && value.includes(beginPatch));
}

/** A text that begins as an edit: a patch, a diff, the lines of an editor. */
export function readEdits(text: string): FoundEdits | undefined {
  return readPatch(text) ?? readDiff(text) ?? readLineEdit(text);
}

const beginPatch = '*** Begin Patch';
const endPatch = '*** End Patch';
const patchFile = /^\*\*\* (Add|Update|Delete) File: (\S.{0,400})$/;

/** `*** Begin Patch`, alone or given to `apply_patch`. With anything else before it, it is a script. */
function readPatch(text: string): FoundEdits | undefined {
  const start = text.indexOf(beginPatch);
  const call = start < 0 ? undefined : text.slice(0, start).trim();
  const given = patchCall.exec(call ?? '');
  if (call === undefined || (call !== '' && !given)) return undefined;
  const end = text.indexOf(endPatch, start);
  const stop = end < 0 ? text.length : end + endPatch.length;
  const rest = afterCall(text.slice(stop).trim(), given?.[1]);
  const whole = text.slice(start, stop);
  const parts = splitBefore(whole.split('\n'), (line) => patchFile.test(line.slice(0, 420)));
  const files = parts.flatMap((lines) => {
    const [, change, file] = patchFile.exec(lines[0]?.slice(0, 420) ?? '') ?? [];
    if (change === undefined || file === undefined) return [];
    const body = lines.filter((line) => line !== endPatch);
    return [{ isDeleted: change === 'Delete', file: file.trim(), body: body.join('\n') }];
  });
  if (files.length === 0) return undefined;
  const edits = files.map(({ isDeleted, file, body }) =>
    edit(
      file,
      body,
      files.length === 1 ? text.slice(0, stop).trim() : `${beginPatch}\n${body}\n${endPatch}`,
      isDeleted,
    ),
  );
  return {
    edits: files.length === 1 && rest === '' ? edits.map((only) => ({ ...only, text: text.trim() })) : edits,
    rest,
  };
}

/** Behind a here-document or a quoted patch stands what ends it. */
function afterCall(rest: string, delimiter: string | undefined): string {
  if (delimiter !== undefined && rest.startsWith(delimiter)) return rest.slice(delimiter.length).trim();
  return rest.replace(/^["']/, '').trim();
}

const searchMark = /^<{5,9} SEARCH\s*$/;
const middleMark = /^={5,9}\s*$/;
const replaceMark = /^>{5,9} REPLACE\s*$/;

/** A file's name, then what to search and what to replace it with; fences and words around them do not matter. */
export function readSearchReplace(text: string): Action[] | undefined {
  if (!text.includes('<<<<< SEARCH')) return undefined;
  const lines = text.split('\n');
  const edits: Action[] = [];
  let file: string | undefined;
  let start = -1;
  let middle = -1;
  lines.forEach((line, number) => {
    if (searchMark.test(line.slice(0, 40))) {
      start = number;
      middle = -1;
      file = fileNamedAbove(lines, number) ?? file;
    } else if (start >= 0 && middle < 0 && middleMark.test(line.slice(0, 40))) middle = number;
    else if (middle >= 0 && replaceMark.test(line.slice(0, 40))) {
      const args = {
        search: lines.slice(start + 1, middle).join('\n'),
        replace: lines.slice(middle + 1, number).join('\n'),
      };
      const block = lines.slice(start, number + 1).join('\n');
      edits.push({
        kind: 'edit',
        verb: 'edit',
        ...(file === undefined ? {} : { object: file }),
        args,
        text: file === undefined ? block : `${file}\n${block}`,
      });
      start = -1;
      middle = -1;
    }
  });
  return edits.length === 0 ? undefined : edits;
}

function fileNamedAbove(lines: readonly string[], number: number): string | undefined {
  const above = lines.slice(Math.max(0, number - 2), number).reverse();
  const line = above
    .find((candidate) => !candidate.trimStart().startsWith('```'))
    ?.trim()
    .replaceAll(/[`*]/g, '');
  return line !== undefined && /^[\w@./\\-]{1,300}$/.test(line) ? line : undefined;
}

const diffLine =
  /^(?:[-+ @\\=]|$|diff --git |index |Index: |(?:new|deleted) file mode |(?:old|new) mode |similarity |rename )/;
const diffStart = /^(?:diff --git |--- \S|Index: )/;

/** A unified diff: nothing but files, hunks and their lines. One action for every file. */
function readDiff(text: string): FoundEdits | undefined {
  const lines = text.split('\n');
  if (!diffStart.test(lines[0] ?? '') || !lines.some((line) => line.startsWith('+++ '))) return undefined;
  if (!lines.every((line) => diffLine.test(line))) return undefined;
  const isHeader = (line: string, number: number) =>
    line.startsWith('diff --git ') ||
    (line.startsWith('--- ') && lines[number + 1]?.startsWith('+++ ') === true && !isBelowGitLine(lines, number));
  const parts = splitBefore(lines, isHeader);
  const edits = parts.flatMap((part) => {
    const from = pathIn(part.find((line) => line.startsWith('--- ')));
    const to = pathIn(part.find((line) => line.startsWith('+++ ')));
    const whole = part.join('\n').trim();
    return from === undefined && to === undefined ? [] : [edit(to ?? from ?? '', whole, whole, to === undefined)];
  });
  return edits.length === 0 ? undefined : { edits, rest: '' };
}

function isBelowGitLine(lines: readonly string[], number: number): boolean {
  return lines.slice(Math.max(0, number - 5), number).some((line) => line.startsWith('diff --git '));
}

function pathIn(line: string | undefined): string | undefined {
  const path = line
    ?.slice(4, 404)
    .split('\t', 1)[0]
    ?.trim()
    .replace(/^[ab]\//, '');
  return path === '/dev/null' ? undefined : path;
}

const lineEdit = /^edit(?: (\d{1,9}:\d{1,9}))?$/;
const lineEditEnd = 'end_of_edit';

/** `edit 10:20`, the new lines, `end_of_edit`: of the file that is open. */
function readLineEdit(text: string): FoundEdits | undefined {
  const lines = text.split('\n');
  const first = lineEdit.exec(lines[0]?.trim().slice(0, 40) ?? '');
  const end = lines.findIndex((line) => line.trim() === lineEditEnd);
  if (!first || end < 0) return undefined;
  const args = { ...(first[1] === undefined ? {} : { lines: first[1] }), change: lines.slice(1, end).join('\n') };
  const done: Action = { kind: 'edit', verb: 'edit', args, text: lines.slice(0, end + 1).join('\n') };
  return {
    edits: [done],
    rest: lines
      .slice(end + 1)
      .join('\n')
      .trim(),
  };
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
