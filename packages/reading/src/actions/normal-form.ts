import { createHash } from 'node:crypto';
import { print } from 'unbash/printer';
import { parseShell, readShell } from '../shell/shell-reader.js';
import {
  hasWildcard,
  isFlag,
  isQuoted,
  quoteWord,
  type ShellCommand,
  type ShellWord,
  singleDash,
  splitOption,
  takesValue,
  withoutFragment,
} from '../shell/shell-words.js';
import { readSql } from '../sql/sql.js';
import { oneLine } from '../text.js';
import type { Action, Arguments, Literal } from './action.js';
import { callsIn } from './code.js';
import { graphqlIn } from './graphql.js';

const longestForm = 2_000;
const longestText = 100_000;
const deepestValue = 40;
const mostObjects = 20;

/** Canonical spelling of an action: equal for equal actions, different if any argument differs. */
export function normalForm(action: Action): string {
  const form = formOf({ ...action, text: action.text.slice(0, longestText) });
  // Too long to keep: a hash of the rest distinguishes it.
  return form.length <= longestForm ? form : `${form.slice(0, longestForm)}…${actionHash(form)}`;
}

export function actionHash(form: string): string {
  return createHash('sha256').update(form).digest('hex').slice(0, 10);
}

/** What an action works on: programs, tables, tool, path, file. */
export function objectsOf({ kind, verb, object = '', args = {}, text }: Action): string[] {
  const told: string[] = [];
  if (kind === 'command') told.push(...(readShell(text) ?? []).map(({ program }) => program));
  else if (kind === 'sql') told.push(...(readSql(text) ?? []).flatMap(({ tables }) => tables));
  else if (kind === 'code') told.push(...callsIn(text).map(({ name }) => name));
  else if (kind === 'call') told.push(verb, object);
  else if (kind === 'http') told.push(withoutFragment(object));
  else if (kind === 'edit') told.push(object);
  if (kind === 'call' || kind === 'http') told.push(...(graphqlIn(args)?.fields ?? []));
  // `[` and `{}` are no names.
  const areNames = kind === 'command' ? told.filter((name) => /\p{L}/u.test(name)) : told;
  return [...new Set(areNames)].filter((name) => name !== '').slice(0, mostObjects);
}

function formOf({ kind, verb, object, args, text }: Action): string {
  const given = argumentsForm(args);
  switch (kind) {
    case 'command':
      return shellForm(text) ?? oneLine(text);
    case 'sql':
      return sqlForm(text) ?? oneLine(text);
    case 'code':
      return codeForm(text);
    case 'call':
      return `${verb}(${[object, given].filter((part) => part !== undefined).join(', ')})`;
    case 'http':
      return [verb.toUpperCase(), object, given].filter((part) => part !== undefined).join(' ');
    case 'edit':
      return `edit ${object ?? ''} ${given ?? oneLine(text)}`;
    case 'reply':
      return wordsOf(text);
    default:
      return `${kind} ${wordsOf(text)}`.trim();
  }
}

function wordsOf(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
}

/** Removes comments, blank lines and redundant spaces; keeps indentation. */
function codeForm(text: string): string {
  const lines = text.replaceAll('\t', '    ').split('\n');
  const told = lines.filter((line) => !['#', '//'].some((mark) => line.trim().startsWith(mark)) && line.trim() !== '');
  const forms = told.map((line) => {
    const indentation = line.slice(0, line.length - line.trimStart().length);
    const form = oneLine(line).replaceAll('"', "'");
    return `${indentation}${form.endsWith(';') ? form.slice(0, -1) : form}`;
  });
  return forms.join('\n');
}

function argumentsForm(args: Arguments | undefined): string | undefined {
  return args === undefined || Object.keys(args).length === 0 ? undefined : JSON.stringify(sorted(args, 0));
}

function sorted(value: Literal, depth: number): Literal {
  if (depth > deepestValue) return '…';
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => sorted(item, depth + 1));
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name] ?? null, depth + 1)]));
}

/** A canonical script: options split and sorted, quotes only where needed, pipes and branches unchanged. */
function shellForm(text: string): string | undefined {
  const printed = printShell(text);
  const commands = printed === undefined ? undefined : readShell(printed);
  if (printed === undefined || commands === undefined) return undefined;
  let form = '';
  let at = 0;
  // Nested commands come after their outer command and are part of its text.
  for (const command of commands) {
    if (command.span === undefined || command.span.start < at || command.inner) continue;
    form += `${printed.slice(at, command.span.start)}${commandForm(command, printed)}`;
    at = command.span.end;
  }
  return `${form}${printed.slice(at)}`.trim();
}

/** Normalises layout and removes comments. */
function printShell(text: string): string | undefined {
  const script = parseShell(text);
  try {
    return script && print(script);
  } catch {
    return undefined;
  }
}

function commandForm(command: ShellCommand, source: string): string {
  const { words, before, redirects, assigns, program, unreadable, span } = command;
  if (words.length === 0 || unreadable) return source.slice(span?.start, span?.end);
  // Assignments by `env` are among the wrapper's words.
  const set = assigns.filter((assign) => !before.some(({ text }) => text === assign));
  const parts = [...set, ...before.map(wordForm), program, ...argumentForms(program, words.slice(1))];
  for (const { operator, target } of redirects) {
    // Here-document text is added separately.
    const isHereDocument = operator.includes('<<') && !operator.includes('<<<');
    parts.push(isHereDocument ? operator : `${operator}${valueForm(target)}`);
  }
  return parts.join(' ');
}

/**
 * Flags first and sorted, with values if known. If operands of an unknown program stand between flags they could be values, so
 * all stay in order.
 */
function argumentForms(program: string, words: readonly ShellWord[]): string[] {
  if (singleDash.has(program))
    return words.map((word) => (word.value === undefined ? wordForm(word) : valueForm(word.value)));
  const forms: { isFlag: boolean; text: string }[] = [];
  let groups = 0;
  let inGroup = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as ShellWord;
    const text = word.value ?? word.text;
    if (text === '--') {
      forms.push(...words.slice(at).map((rest) => ({ isFlag: false, text: wordForm(rest) })));
      break;
    }
    if (!isFlag(text)) {
      forms.push({ isFlag: false, text: wordForm(word) });
      inGroup = false;
      continue;
    }
    const names = flagForms(word, text);
    const last = names.at(-1) ?? '';
    const next = words[at + 1];
    if (next !== undefined && takesValue(program, last)) {
      names[names.length - 1] = `${last} ${wordForm(next)}`;
      at += 1;
    } else if (!inGroup) {
      groups += 1;
      inGroup = true;
    }
    forms.push(...names.map((name) => ({ isFlag: true, text: name })));
  }
  if (groups > 1) return forms.map(({ text }) => text);
  const flags = forms.filter((form) => form.isFlag).map(({ text }) => text);
  return [...flags.sort(), ...forms.filter((form) => !form.isFlag).map(({ text }) => text)];
}

/** `-n5` becomes `-n 5`, `-rf` becomes `-f -r`. */
function flagForms(word: ShellWord, text: string): string[] {
  if (text.includes('=')) return [wordForm(word)];
  const names = splitOption(text);
  const [only = ''] = names;
  return names.length === 1 && only.length === 2 && text.length > 2
    ? [`${only} ${text.slice(2)}`]
    : [...new Set(names)];
}

function wordForm({ text, value }: ShellWord): string {
  if (value === undefined) {
    const isWhole = text.length > 1 && text.startsWith('"') && text.endsWith('"');
    return (isWhole ? text.slice(1, -1) : text).replace(/\$\{(\w{1,60})\}/g, '$$$1');
  }
  // Unquoted wildcards are expanded, quoted ones are literal.
  return hasWildcard(text) && !isQuoted(text) ? withoutDot(value) : valueForm(value);
}

function valueForm(value: string): string {
  return quoteWord(withoutDot(value));
}

function withoutDot(path: string): string {
  return path.startsWith('./') && path.length > 2 ? path.slice(2) : path;
}

/** Canonical SQL: table names instead of aliases, without optional keywords. */
function sqlForm(text: string): string | undefined {
  const statements = readSql(text);
  return statements?.map(({ tokens }) => statementForm(tokens)).join('; ');
}

const needless = new Set(['INNER', 'OUTER', 'ASC']);
const beforeTable = new Set(['FROM', 'JOIN', 'UPDATE', 'INTO', 'USING']);
const afterTables = new Set(['WHERE', 'GROUP', 'ORDER', 'HAVING', 'LIMIT', 'ON', '(', ')']);

function statementForm(given: readonly string[]): string {
  const tokens = given.filter((token) => !needless.has(token));
  const { names, dropped } = aliasesIn(tokens);
  const kept = tokens.filter((_, at) => !dropped.has(at));
  const alone = new Set(names.values()).size === 1 && names.size <= 2;
  const written: string[] = [];
  for (let at = 0; at < kept.length; at++) {
    const token = kept[at] as string;
    const isPrefix = kept[at + 1] === '.' && kept[at - 1] !== '.';
    const table = isPrefix ? names.get(token) : undefined;
    // With a single table, qualifiers are redundant.
    if (table !== undefined && alone) at += 1;
    else written.push(table ?? token);
  }
  return written.join(' ').replaceAll(' . ', '.').replaceAll(' ( ', '(').replaceAll(' )', ')');
}

interface Aliases {
  /** Maps every name and alias to its table. */
  names: Map<string, string>;
  /** Indexes of alias tokens. */
  dropped: Set<number>;
}

function aliasesIn(tokens: readonly string[]): Aliases {
  const names = new Map<string, string>();
  const dropped = new Set<number>();
  const used = new Map<string, number>();
  let inFrom = false;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as string;
    if (token === 'FROM') inFrom = true;
    else if (afterTables.has(token)) inFrom = false;
    const before = tokens[at - 1] ?? '';
    if (!isSqlName(token) || !(beforeTable.has(before) || (inFrom && before === ','))) continue;
    let end = at;
    while (tokens[end + 1] === '.' && tokens[end + 2] !== undefined) end += 2;
    const table = tokens.slice(at, end + 1).join('');
    const alias = tokens[end + 1] === 'AS' ? end + 2 : end + 1;
    const times = (used.get(table) ?? 0) + 1;
    used.set(table, times);
    // A table used twice gets a number.
    const called = times === 1 ? table : `${table}#${times}`;
    if (!names.has(table)) names.set(table, called);
    if (isSqlName(tokens[alias])) {
      names.set(tokens[alias] as string, called);
      for (let place = end + 1; place <= alias; place++) dropped.add(place);
    }
    at = end;
  }
  return { names, dropped };
}

/** Keywords are in upper case here. */
function isSqlName(token = ''): boolean {
  const first = token.charAt(0);
  return (first >= 'a' && first <= 'z') || (first !== '' && '_@#"'.includes(first));
}
