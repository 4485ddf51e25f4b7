import { looksLikeShell, readShell } from '../shell/shell.js';
import { shells } from '../shell/shell-nesting.js';
import { baseName, quoteWord } from '../shell/shell-words.js';
import { readSql } from '../sql/sql.js';
import { oneLine } from '../text.js';
import type { Action, ActionKind, Arguments, Literal } from './action.js';
import { contentOf, isToolName, operationIn, roleOf, wordsOf } from './call-names.js';
import type { Call, InnerText, RawAction } from './calls.js';
import { codeLanguage } from './code.js';
import { editOf, patchIn, readEdits } from './edits.js';
import { requestCall, requestOf } from './http.js';
import { writeForm } from './literals.js';
import { isBrokenCommand, isTalk } from './orders.js';

/** A text that a call passes to a shell, database or interpreter. */
export interface Executed {
  kind: 'command' | 'sql' | 'code';
  text: string;
}

/** Calls that execute one kind of text, matched by part of a word of their name, or by a whole word. */
const executors: readonly { kind: Executed['kind']; parts: readonly string[]; words: readonly string[] }[] = [
  { kind: 'command', parts: ['bash', 'shell', 'terminal'], words: ['sh', 'cmd'] },
  { kind: 'sql', parts: ['sql'], words: [] },
  { kind: 'code', parts: ['python', 'javascript', 'jupyter'], words: ['js'] },
];

export function executorNamed(name: string): Executed['kind'] | undefined {
  const given = wordsOf(name);
  const row = executors.find(({ parts, words }) =>
    given.some((word) => words.includes(word) || parts.some((part) => word.includes(part))),
  );
  return row?.kind;
}

/** Words of calls that execute text of any kind; the text itself determines which. */
const running = new Set(['run', 'exec', 'execute', 'command', 'system', 'subprocess', 'popen', 'script']);
/** The same for calls that never execute commands. */
const evaluating = new Set(['eval', 'code', 'interpreter', 'query', 'database', 'db']);

/** Arguments executed in any call; all others only in calls that execute. */
const tellingKeys = ['command', 'cmd', 'commands', 'sql', 'code', 'script'];
const otherKeys = ['query', 'statement', 'source', 'input', 'keystrokes', '0'];

/** The text executed by a call, or by an object without a verb. */
export function executedIn(verb: string | undefined, args: Arguments): Executed | undefined {
  const words = verb === undefined ? [] : wordsOf(verb);
  const executor = executorNamed(verb ?? '');
  const isRunning = words.some((word) => running.has(word));
  const key = carrierIn(args, executor !== undefined || isRunning || words.some((word) => evaluating.has(word)), verb);
  const text = key === undefined ? undefined : textIn(args[key]);
  if (key === undefined || text === undefined) return undefined;
  const isCommand = ['command', 'commands', 'cmd'].includes(key);
  if (executor && (executor === 'command' || !isCommand)) return { kind: executor, text };
  if (otherKeys.includes(key) && operationIn(args) === text) return undefined;
  const isAlone = Object.entries(args).every(([name, value]) => name === key || typeof value !== 'string');
  const isWord = isToolName(text) && Object.keys(args).length > 1;
  const kind = kindOf(text, isAlone && (isRunning || (isCommand && !isWord)));
  return kind === undefined || (key === 'query' && kind !== 'sql') ? undefined : { kind, text };
}

function carrierIn(args: Arguments, isExecuting: boolean, verb: string | undefined): string | undefined {
  const others = isExecuting ? otherKeys : verb === undefined ? ['query'] : [];
  return [...tellingKeys, ...others].find((name) => Object.hasOwn(args, name));
}

/** Classifies executed text; `mayBeCommand` decides if it could be a command. */
export function kindOf(text: string, mayBeCommand: boolean): Executed['kind'] | undefined {
  if (readSql(text) !== undefined) return 'sql';
  const shell = looksLikeShell(text);
  if (shell === 'yes') return 'command';
  if (codeLanguage(text) !== undefined) return 'code';
  return mayBeCommand && ((shell === 'maybe' && !isTalk(text)) || isBrokenCommand(text)) ? 'command' : undefined;
}

/** A string as is; a list of program and arguments as a command. */
function textIn(value: Literal | undefined): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value.trim();
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const words = value.filter((item): item is string => typeof item === 'string');
  if (words.length < value.length) return undefined;
  const [program = '', option = '', script, ...rest] = words;
  const isScript = shells.has(baseName(program)) && (option === '-c' || option === '-lc') && rest.length === 0;
  return isScript && script !== undefined ? script.trim() : words.map(quoteWord).join(' ');
}

export function plainAction(kind: ActionKind, text: string): Action {
  return { kind, verb: kind, text };
}

/** Stands for input too long or too deeply nested to read. */
export function unreadable(text: string): Action {
  return { kind: 'code', verb: 'unreadable', text };
}

function commandAction(text: string): Action {
  return { kind: 'command', verb: readShell(text)?.[0]?.program || firstWord(text), text };
}

export function sqlAction(text: string): Action {
  const [statement] = readSql(text) ?? [];
  const [table] = statement?.tables ?? [];
  const verb = (statement?.verb ?? firstWord(text)).toLowerCase();
  return { kind: 'sql', verb, ...(table === undefined ? {} : { object: table }), text };
}

function firstWord(text: string): string {
  return oneLine(text.slice(0, 200)).split(' ', 1)[0] ?? '';
}

export function codeAction(text: string, language: string = codeLanguage(text) ?? 'python'): Action {
  return { kind: 'code', verb: language, text };
}

export function finishAction(verb: string, args: Arguments, text: string): Action {
  const answer = contentOf(args);
  const { 0: _, ...named } = args;
  const kept: Arguments = answer === undefined ? args : { ...named, answer };
  return { kind: 'finish', verb, ...(Object.keys(kept).length === 0 ? {} : { args: kept }), text };
}

export function executedAction(kind: 'command' | 'sql' | 'code', text: string): Action[] {
  if (kind === 'sql') return [sqlAction(text)];
  if (kind === 'code') return [codeAction(text)];
  const patch = readEdits(text);
  return patch && patch.rest === '' ? patch.edits : [commandAction(text)];
}

/** Turns raw actions into actions. `read` reads an inner text; `found` is the value they come from, and its source. */
export function resolveActions(
  rawActions: readonly RawAction[],
  read: (text: string) => Action[],
  found?: { value: Literal; source: string },
): Action[] {
  return rawActions.flatMap((raw) => {
    if (!('verb' in raw)) return actionsOfText(raw, read);
    const isWhole = rawActions.length === 1 && raw.form === found?.value;
    return actionsOfCall(raw, isWhole ? found.source : writeForm(raw.form));
  });
}

function actionsOfText({ text, as }: InnerText, read: (text: string) => Action[]): Action[] {
  const said = text.trim();
  if (said === '') return [];
  if (as === 'command' || as === 'sql' || as === 'code') return executedAction(as, said);
  if (as === 'finish') return [finishAction('finish', { answer: said }, said)];
  return as === undefined ? read(said) : [plainAction(as, said)];
}

/** Classifies a call: executes, sends a request, edits, talks, thinks, finishes; otherwise a plain call. */
export function actionsOfCall({ verb, args }: Pick<Call, 'verb' | 'args'>, text: string): Action[] {
  const role = roleOf(verb, args);
  if (role === 'finish') return [finishAction(verb, args, text)];
  const content = role === undefined ? undefined : contentOf(args);
  if (role === 'think') return [{ ...plainAction('think', text), text: typeof content === 'string' ? content : text }];
  if (role === 'reply' && typeof content === 'string') return [plainAction('reply', content)];
  const patch = patchIn(verb, args);
  const edits = patch === undefined ? undefined : readEdits(patch.trim())?.edits;
  if (edits) return edits;
  const executed = executedIn(verb, args);
  if (executed) return executedAction(executed.kind, executed.text);
  const done = requestOf(args) ?? requestCall(verb, args) ?? editOf(verb, args);
  return [done ? { ...done, text } : { kind: 'call', verb, args, text }];
}
