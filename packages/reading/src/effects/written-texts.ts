import type { Literal } from '../actions/action.js';
import { readingPrograms, writingOptions } from '../shell/known-programs.js';
import { inputOf, interpreters, isDatabaseClient } from '../shell/programs.js';
import { shells } from '../shell/shell-nesting.js';
import type { ShellCommand } from '../shell/shell-words.js';

const prose = /\.(?:md|mdx|rst|adoc)$/i;

/** Whether nothing reads the file but people. */
export function isProse(path: string): boolean {
  return prose.test(path);
}

const settingLine = /^\s*(?:- )?["']?[\w.$/-]+["']?\]?\s*(?:[:={]|=>|"[^"]*" \{)|^\s*[-}\])#]|[[{(]\s*$/;
const leastSettings = 0.8;

/** Whether an answer is a file of settings: YAML, HCL, JSON, INI. */
export function isConfiguration(text: string): boolean {
  const lines = text
    .slice(0, 20_000)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return lines.length > 1 && lines.filter((line) => settingLine.test(line)).length >= leastSettings * lines.length;
}

const replaced = new Set(['old_str', 'old_string', 'search', 'old', 'oldText', 'old_text']);

/** What an edit adds: neither the text that it replaces nor the lines that it keeps. */
export function addedBy(args: { [name: string]: Literal }): string {
  const entries = Object.entries(args);
  const before = entries.flatMap(([name, value]) => (replaced.has(name) ? textsIn(value) : []));
  const kept = new Set(before.flatMap((text) => text.split('\n').map((line) => line.trim())));
  const after = entries.flatMap(([name, value]) => (replaced.has(name) ? [] : textsIn(value)));
  const lines = after.flatMap((text) => addedLines(text.split('\n')));
  return lines.filter((line) => !kept.has(line.trim())).join('\n');
}

const patchLine = /^(?:\+\+\+ |@@|\*\*\* (?:Add|Update) File: )/;

function addedLines(lines: string[]): string[] {
  if (!lines.some((line) => patchLine.test(line))) return lines;
  return lines.filter((line) => line.startsWith('+') && !line.startsWith('+++ ')).map((line) => line.slice(1));
}

/** Arguments for people. */
const messages = new Set(['body', 'title', 'message', 'text', 'description', 'comment', 'subject', 'note', 'summary']);

/** The values of arguments, short ones with their names; without messages, or only those that are no texts. */
export function textsIn(value: Literal, only: 'texts' | 'flags' | 'all' = 'all', name = ''): string[] {
  const named = (said: string) => (name === '' || /^\d+$/.test(name) ? said : `${name}: ${said}`);
  if (typeof value === 'string') {
    if (only === 'flags' || (only === 'texts' && messages.has(name.toLowerCase()))) return [];
    return [value.includes('\n') ? value : named(value)];
  }
  if (typeof value !== 'object' || value === null) return [named(String(value))];
  return Object.entries(value).flatMap(([key, item]) => textsIn(item, only, Array.isArray(value) ? name : key));
}

/** What commands write or set: here-documents, output that goes into a file or a program, replacements, options. */
export function writtenBy(commands: readonly ShellCommand[]): string[] {
  return commands.flatMap((command) => {
    const next = commands.filter(({ pipeline, place }) => pipeline === command.pipeline && place > command.place);
    const files = [command, ...next].flatMap(({ redirects }) =>
      redirects.filter(({ operator }) => operator.includes('>')).map(({ target }) => target),
    );
    const tees = next.filter(({ program }) => program === 'tee').flatMap(({ operands }) => operands);
    if ([...files, ...tees].some(isProse)) return [];
    const isWritten = files.some((file) => file !== '/dev/null' && !file.startsWith('&')) || next.some(takesText);
    const said = ['echo', 'printf'].includes(command.program) && isWritten ? [wordsOf(command).join(' ')] : [];
    const isRead = isDatabaseClient(command.program) || (command.program === 'cat' && !isWritten);
    return [...said, ...(isRead ? [] : inputOf(command)), ...command.assigns, ...setBy(command)];
  });
}

/** Not a filter such as `grep`. */
function takesText({ program }: ShellCommand): boolean {
  return !readingPrograms.has(program);
}

function wordsOf({ words }: ShellCommand): string[] {
  return words.slice(1).map(({ value, text }) => value ?? text);
}

/** Programs whose words are mostly messages or scripts. */
const talking = new Set(['git', 'gh', 'tee']);

/** `--acl public-read`, `--publicly-accessible`, `-p '{"privileged": true}'`, the replacement of `sed -i` */
function setBy(command: ShellCommand): string[] {
  const { program, options } = command;
  const given = wordsOf(command);
  if (readingPrograms.has(program)) {
    if (program === 'export' || program === 'declare') return given;
    return options.some((option) => writingOptions.get(program)?.includes(option)) ? given.map(replacementIn) : [];
  }
  if (talking.has(program) || shells.has(program) || interpreters.has(program) || isDatabaseClient(program)) return [];
  return given.map((word, at) => {
    if (!word.startsWith('--') || word.includes('=')) return word;
    const value = given[at + 1] ?? '-';
    return `${word.slice(2)}: ${value.startsWith('-') ? 'true' : value}`;
  });
}

/** `s/old/new/`, and those after it: `; s/old/new/` */
function replacementIn(script: string): string {
  return script
    .split(/;\s*(?=s[/|#,@])/)
    .map((part) => {
      const mark = /^[\d,$]{0,20}s([/|#,@])/.exec(part)?.[1];
      return mark === undefined ? part : (part.split(mark)[2] ?? '');
    })
    .join('\n');
}
