import type { Arguments, Literal } from './action.js';
import { isToolName, wordsOf } from './call-names.js';
import { codeLanguage } from './code.js';
import { isBrokenCommand, isTalk } from './orders.js';
import { looksLikeShell } from './shell.js';
import { readSql } from './sql.js';

/** A text that a call hands to a shell, a database or an interpreter. */
export interface Executed {
  kind: 'command' | 'sql' | 'code';
  text: string;
}

/** Calls that execute one kind of text, by a part of one of the words of their name. */
interface ExecutorRow {
  kind: Executed['kind'];
  part: string;
  isWholeWord: boolean;
  example: string;
  not: string;
}

export const executorRows: readonly ExecutorRow[] = [
  { kind: 'command', part: 'bash', isWholeWord: false, example: 'execute_bash', not: 'base_rate' },
  { kind: 'command', part: 'shell', isWholeWord: false, example: 'powershell', not: 'shelf_add' },
  { kind: 'command', part: 'terminal', isWholeWord: false, example: 'run_in_terminal', not: 'determine' },
  { kind: 'command', part: 'sh', isWholeWord: true, example: 'run_sh', not: 'show' },
  { kind: 'command', part: 'cmd', isWholeWord: true, example: 'CmdRunAction', not: 'cmdb_lookup' },
  { kind: 'sql', part: 'sql', isWholeWord: false, example: 'sqlite_query', not: 'squeal' },
  { kind: 'code', part: 'python', isWholeWord: false, example: 'execute_ipython_cell', not: 'pytest' },
  { kind: 'code', part: 'javascript', isWholeWord: false, example: 'run_javascript', not: 'java' },
  { kind: 'code', part: 'jupyter', isWholeWord: false, example: 'jupyter_cell', not: 'jupiter' },
  { kind: 'code', part: 'js', isWholeWord: true, example: 'js', not: 'jsonpath' },
];

/** Words of calls that execute some text; the text itself has to show of which kind it is. */
const running = new Set(['run', 'exec', 'execute', 'command', 'system', 'subprocess', 'popen', 'script']);
/** The same of calls that execute no commands. */
const evaluating = new Set(['eval', 'code', 'interpreter', 'query', 'database', 'db']);

/** Arguments that are executed by their very name; the rest only in calls that execute. */
const tellingKeys = ['command', 'cmd', 'commands', 'sql', 'code', 'script'];
const otherKeys = ['query', 'statement', 'source', 'input', 'keystrokes', '0'];

/** What a call executes, or an object without a verb; else undefined. */
export function executedIn(verb: string | undefined, args: Arguments): Executed | undefined {
  const words = verb === undefined ? [] : wordsOf(verb);
  const row = executorRows.find(({ part, isWholeWord }) =>
    words.some((word) => (isWholeWord ? word === part : word.includes(part))),
  );
  const isRunning = words.some((word) => running.has(word));
  const key = carrierIn(args, row !== undefined || isRunning || words.some((word) => evaluating.has(word)), verb);
  const text = key === undefined ? undefined : textIn(args[key]);
  if (key === undefined || text === undefined) return undefined;
  const isCommand = /^c(?:ommands?|md)$/.test(key);
  if (row && (row.kind === 'command' || !isCommand)) return { kind: row.kind, text };
  const isAlone = Object.entries(args).every(([name, value]) => name === key || typeof value !== 'string');
  const isWord = isToolName(text) && Object.keys(args).length > 1;
  const kind = kindOf(text, isAlone && (isRunning || (isCommand && !isWord)));
  return kind === undefined || (key === 'query' && kind !== 'sql') ? undefined : { kind, text };
}

function carrierIn(args: Arguments, isExecuting: boolean, verb: string | undefined): string | undefined {
  const others = isExecuting ? otherKeys : verb === undefined ? ['query'] : [];
  return [...tellingKeys, ...others].find((name) => Object.hasOwn(args, name));
}

/** What an executed text is; where it could be a command, `mayBeCommand` decides. */
export function kindOf(text: string, mayBeCommand: boolean): Executed['kind'] | undefined {
  if (readSql(text) !== undefined) return 'sql';
  const shell = looksLikeShell(text);
  if (shell === 'yes') return 'command';
  if (codeLanguage(text) !== undefined) return 'code';
  return mayBeCommand && ((shell === 'maybe' && !isTalk(text)) || isBrokenCommand(text)) ? 'command' : undefined;
}

/** A text as it is, or a list of a program and its arguments as the command that it means. */
function textIn(value: Literal | undefined): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value.trim();
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const words = value.filter((item): item is string => typeof item === 'string');
  if (words.length < value.length) return undefined;
  const [program = '', option = '', script, ...rest] = words;
  if (
    script !== undefined &&
    rest.length === 0 &&
    /^(?:\S{0,60}\/)?(?:ba|z|da)?sh$/.test(program) &&
    /^-l?c$/.test(option)
  ) {
    return script.trim();
  }
  return words.map(quoted).join(' ');
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
