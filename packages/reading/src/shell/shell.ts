import { readSql } from '../sql/sql.js';
import { oneLine } from '../text.js';
import { isKnownProgram, isProgram } from './known-programs.js';
import { parseShell, readShell } from './shell-reader.js';
import { isFlag, isQuoted, type ShellCommand } from './shell-words.js';

export { parseShell, readShell } from './shell-reader.js';
export type { ShellCommand, ShellRedirect, ShellWord } from './shell-words.js';

/** Signs of prose outside quotes: sentence punctuation, arrows, assignments with spaces. */
const proseMark = /\p{L}{2}[.,!?](?=\s|$)|[-=]>|\s:?=\s/u;
const functionWords = new Set(
  (
    'the a an is are was i you your my we our it please this that will would can could should have has ' +
    'und der die das le la les el los'
  ).split(' '),
);
const programWord = /^(?:[a-z_~./][\w./+~-]*|[A-Z][\w./+-]*[a-z][\w./+-]*)$/;

/**
 * `yes` if the structure is a command's: options, pipes, redirections, loops, a path as the program. `maybe` if it parses as one
 * simple command but could be plain words.
 */
export function looksLikeShell(text: string): 'yes' | 'maybe' | 'no' {
  const trimmed = text.trim();
  const script = trimmed === '' ? undefined : parseShell(trimmed);
  if (script === undefined || script.commands.length === 0) return 'no';
  const commands = (readShell(trimmed) ?? []).filter((command) => !command.inner);
  const run = commands.filter((command) => command.words.length > 0);
  if (run.length === 0 && isStructured(script.commands.map(({ command }) => command.type))) return 'yes';
  if (run.length === 0) return commands.some(({ assigns }) => assigns.length > 0) ? 'maybe' : 'no';
  if (!run.every(hasProgramName) || readSql(trimmed) !== undefined) return 'no';
  const bare = withoutQuoted(trimmed, run);
  const known = run.every((command) => isKnownProgram(command.program));
  if (!known && (proseMark.test(bare) || isImport(bare) || '<>'.includes(trimmed.charAt(0)))) return 'no';
  if (functionWordsIn(bare) >= (known ? 3 : 1)) return 'no';
  if (known || run.some(isProof) || isStructured(script.commands.map(({ command }) => command.type))) return 'yes';
  if (run.length === 1) return 'maybe';
  return run.every((command) => isProgram(command.program)) ? 'yes' : 'no';
}

function isImport(line: string): boolean {
  return line.startsWith('import ') || (line.startsWith('from ') && line.includes(' import '));
}

function hasProgramName(command: ShellCommand): boolean {
  const name = command.words[0]?.value;
  return name !== undefined && (programWord.test(name) || isProgram(name));
}

/** Keywords of loops and branches do not occur in these places in a sentence. */
function isStructured(types: readonly string[]): boolean {
  const compound = ['For', 'While', 'If', 'Case', 'Function', 'ArithmeticFor', 'TestCommand', 'Subshell', 'BraceGroup'];
  return types.some((type) => compound.includes(type));
}

function isProof(command: ShellCommand): boolean {
  const name = command.words[0]?.value ?? '';
  return (
    ['/', './', '../', '~/'].some((start) => name.startsWith(start)) ||
    command.wrappers.some((wrapper) => wrapper !== 'time' && wrapper !== 'command') ||
    command.options.some(isFlag) ||
    command.redirects.some(({ operator, target }) => operator !== '<' && target !== '') ||
    (isProgram(command.program) && command.place > 0)
  );
}

/** Unquoted words only: quotes hold data. */
function withoutQuoted(text: string, commands: readonly ShellCommand[]): string {
  if (!isQuoted(text) && !text.includes('<')) return text;
  const lines = commands.map(({ words }) => words.map((word) => word.text).filter((word) => !isQuoted(word)));
  return lines.map((words) => words.join(' ')).join('\n');
}

function functionWordsIn(text: string): number {
  return oneLine(text.toLowerCase())
    .split(' ')
    .filter((word) => functionWords.has(word)).length;
}
