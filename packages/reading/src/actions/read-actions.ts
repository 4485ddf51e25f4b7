import { isProgram } from '../shell/known-programs.js';
import { looksLikeShell } from '../shell/shell.js';
import { readSql } from '../sql/sql.js';
import { oneLine } from '../text.js';
import { isStopWord } from '../words.js';
import type { Action, Literal } from './action.js';
import { isToolName, roleOf, wordsOf } from './call-names.js';
import { type RawAction, rawActionsIn } from './calls.js';
import { codeLanguage, languageNamed } from './code.js';
import { readEdits, readSearchReplace } from './edits.js';
import {
  actionsOfCall,
  codeAction,
  executedAction,
  finishAction,
  plainAction,
  resolveActions,
  sqlAction,
  unreadable,
} from './executed.js';
import { readGraphql, shapeOfGraphql } from './graphql.js';
import { readRequests } from './http.js';
import {
  argumentsOf,
  isCallLiteral,
  isTooDeep,
  literalAt,
  readCutLiteral,
  readLiteral,
  readPairs,
} from './literals.js';
import { isCommandLine, isTalk, readBracketedLines, readKeyedLines, readOrder } from './orders.js';
import { taggedActions, withoutThoughts } from './tags.js';
import { type Fenced, fencesIn, type Section, sectionsIn, withoutMarks } from './unwrap.js';

export interface ReadingContext {
  /** The agent writes shell commands, by its type or its other decisions. */
  usesShell: boolean;
  /** Programs that nobody knows, but its other decisions run: `ship label P-1` is a command beside `ship reserve P-1 --now`. */
  programs?: ReadonlySet<string>;
  /** Beside its other commands, a few bare words are one: `bibtex paper`. */
  takesBareWords?: boolean;
}

/** Longer texts are not read; they must count as unreadable, never as harmless. */
const longestDecision = 1_000_000;
/** Maximum depth of wrappers around an action. */
const deepestWrapping = 6;
const mostLinesTried = 200;
const mostOrders = 20;
const mostActions = 200;
/** Longer texts are not talk. */
const longestReply = 100_000;
const longestExample = 20_000;
const decisionsSampled = 60;
const shellAgents = new Set(['bash', 'shell', 'sh', 'terminal', 'cli', 'sre', 'devops', 'ops', 'sysadmin', 'linux']);

/** Actions of a decision, in order; at least one unless the decision is empty. */
export function readActions(decision: string, context: ReadingContext = { usesShell: false }): Action[] {
  const whole = decision.trim();
  if (whole === '') return [];
  if (whole.length > longestDecision) return [unreadable(whole)];
  const actions = readValue(whole, (inner) => read(inner, context, 1)) ?? readAfterThoughts(whole, context);
  return actions.length > mostActions ? [...actions.slice(0, mostActions), unreadable(whole)] : actions;
}

function readAfterThoughts(whole: string, context: ReadingContext): Action[] {
  const { text, thoughts } = withoutThoughts(whole);
  if (text !== '') return read(text, context, 0);
  return [thoughts.length > 0 ? plainAction('think', thoughts.join('\n\n')) : plainAction('reply', whole)];
}

/** Whether an agent works in a shell, by its type or most of its decisions. */
export function readingContext(decisions: readonly string[], agentType = ''): ReadingContext {
  if (wordsOf(agentType).some((word) => shellAgents.has(word))) return { usesShell: true };
  const sample = decisions.slice(0, decisionsSampled).filter((decision) => decision.trim() !== '');
  const read = sample.map((decision) => readActions(decision));
  const isCommand = (actions: readonly Action[]) => actions.some(({ kind }) => kind === 'command');
  const programs = programsIn(read.flat());
  const commands = read.filter(isCommand).length;
  const firsts = read
    .flatMap((actions, at) => (isCommand(actions) ? [] : firstOfBareWords(sample[at] ?? '')))
    .filter(Boolean);
  const known = commands > 0 ? firsts.filter(isProgram).length : 0;
  return {
    usesShell: commands + known > sample.length / 2,
    programs,
    takesBareWords: (programs.size > 0 && commands + firsts.length > sample.length / 2) || isConsole(sample),
  };
}

const fewestAtConsole = 3;

/** Nothing but bare words, most of them several, and some with an operand such as `Gi1/0/7`. */
function isConsole(decisions: readonly string[]): boolean {
  const lines = decisions.map((decision) => decision.trim());
  const several = lines.filter((line) => firstOfBareWords(line) !== '');
  return (
    lines.length >= fewestAtConsole &&
    several.length > lines.length / 2 &&
    lines.every((line) => several.includes(line) || /^[a-z-]{1,20}$/.test(line)) &&
    several.some((line) => /\w[-/.]\w|\d{2}/.test(line))
  );
}

/** A few bare words, such as an in-house program with a sub-command. */
const bareWords = /^([a-z][\w.-]*)(?: [\w.,:/@=-]+){1,9}$/;
/** Also ends a command: `cachectl purge all`. */
const lastWords = new Set(['all', 'on', 'off', 'up', 'down']);

/** First words that a command, or two bare replies, begin with. */
function programsIn(actions: readonly Action[]): Set<string> {
  const programs = new Set<string>();
  const seen = new Set<string>();
  for (const { kind, text } of actions) {
    const [first = ''] = kind === 'command' ? text.trim().split(/\s/, 1) : [firstOfBareWords(text)];
    if (kind === 'command' || (kind === 'reply' && seen.has(first))) programs.add(first);
    else if (kind === 'reply') seen.add(first);
  }
  programs.delete('');
  return programs;
}

/** The first of a few bare words, which may be a program; empty for anything else. */
export function firstOfBareWords(text: string): string {
  const [, first = ''] = bareWords.exec(text.trim()) ?? [];
  const [last = '', ...others] = text.trim().split(' ').reverse();
  return others.some(isStopWord) || (isStopWord(last) && !lastWords.has(last)) ? '' : first;
}

/** Actions of a lesson's example: one per line, or one over several lines. */
export function readExample(text: string): Action[] {
  const context = { usesShell: true };
  const whole = readActions(text, context);
  const isComplete =
    whole.every(({ kind }) => kind !== 'reply') && whole.map((action) => action.text.trim()).join('\n') === text.trim();
  if (isComplete || !text.trim().includes('\n') || text.length > longestExample) return whole;
  const blocks = blocksOf(text.trim()).flatMap((block) => readActions(block, context));
  return blocks.every(({ kind }) => kind === 'reply') ? whole : blocks;
}

/** Lines, with multi-line values, search-and-replace blocks and indented lines kept together. */
function blocksOf(text: string): string[] {
  const blocks: string[] = [];
  let tries = mostLinesTried;
  for (let at = 0; at < text.length; ) {
    const found = tries-- > 0 ? literalAt(text, at) : undefined;
    const from = found && lineEnds(text, found.end) ? found.end : at + lengthOfEdit(text.slice(at));
    const newline = /\n(?![ \t])/g;
    newline.lastIndex = from;
    const end = newline.exec(text)?.index ?? text.length;
    blocks.push(text.slice(at, end));
    at = end + 1;
  }
  return blocks;
}

const searchReplace = /^(?:[\w@./\\-]{1,300}\n)?<{5,} ?SEARCH\n(?:.*\n)*?>{5,} ?REPLACE(?=\n|$)/;

function lengthOfEdit(text: string): number {
  return searchReplace.exec(text)?.[0].length ?? 0;
}

function lineEnds(text: string, at: number): boolean {
  const [rest = ''] = text.slice(at, at + 40).split('\n', 1);
  return ['', ';', ','].includes(rest.trim());
}

/** Reads a contained text, in the same context unless told otherwise. */
type ReadInner = (text: string, context?: ReadingContext) => Action[];

function read(text: string, context: ReadingContext, depth: number): Action[] {
  if (depth > deepestWrapping) return [unreadable(text)];
  const inner: ReadInner = (held, innerContext = context) => read(held, innerContext, depth + 1);
  return (
    readValue(text, inner) ??
    readAnchoredEdits(text, inner) ??
    readRequests(text) ??
    readTagged(text, inner) ??
    readLabelled(text, inner) ??
    readSearchReplace(text) ??
    readFences(text, inner) ??
    readMarked(text, context, inner) ??
    readBare(text, context, inner)
  );
}

/** One or more values: calls, or data, which counts as an answer. */
function readValue(text: string, inner: ReadInner): Action[] | undefined {
  const value = readLiteral(text) ?? readPairs(text);
  if (value === undefined) return readValues(text, inner);
  if (typeof value === 'string') return value.trim() === '' ? undefined : inner(value.trim());
  if (isPrinting(value)) return [codeAction(text)];
  const actions = resolveActions(rawActionsIn(value), inner, { value, source: text });
  return actions.length > 0 ? actions : [plainAction('reply', text)];
}

function readValues(text: string, inner: ReadInner): Action[] | undefined {
  const rawActions: RawAction[] = [];
  for (let at = 0; at < text.length; ) {
    const found = literalAt(text, at);
    const own = found === undefined || isPrinting(found.value) ? [] : rawActionsIn(found.value);
    if (found === undefined || own.length === 0) return undefined;
    rawActions.push(...own);
    if (rawActions.length > mostActions) break;
    at = found.end;
    while (at < text.length && ' \t\r\n;,'.includes(text.charAt(at))) at++;
  }
  return resolveActions(rawActions, inner);
}

/** `print(…)` is code, not a tool. */
function isPrinting(value: Literal): boolean {
  return isCallLiteral(value) && (value.call === 'print' || value.call === 'console.log');
}

function readAnchoredEdits(text: string, inner: ReadInner): Action[] | undefined {
  const found = readEdits(text);
  return found && [...found.edits, ...(found.rest === '' ? [] : inner(found.rest))];
}

function readTagged(text: string, inner: ReadInner): Action[] | undefined {
  const rawActions = taggedActions(text);
  const actions = resolveActions(rawActions, inner);
  return rawActions.some((raw) => 'verb' in raw) ? actions : onlyDone(actions);
}

function onlyDone(actions: Action[]): Action[] | undefined {
  return actions.some(({ kind }) => kind !== 'reply') ? actions.filter(({ kind }) => kind !== 'reply') : undefined;
}

function readLabelled(text: string, inner: ReadInner): Action[] | undefined {
  const sections = sectionsIn(text);
  if (!sections || (sections[0]?.role === undefined && !isTalk(sections[0]?.text ?? ''))) return undefined;
  const actions: Action[] = [];
  for (const [place, section] of sections.entries()) {
    if ((section.role === 'observation' && actions.length > 0) || actions.length > mostActions) break;
    actions.push(...readSection(section, sections[place + 1], inner));
  }
  if (actions.length > 0) return sections[0]?.role === 'thought' ? actions : onlyDone(actions);
  const thoughts = sections.filter(({ role }) => role === 'thought').map((section) => section.text);
  if (thoughts.length === 0) return undefined;
  // The action after a thought may have no label.
  const [, ...below] = thoughts.at(-1)?.split('\n') ?? [];
  return onlyDone(inner(below.join('\n').trim())) ?? [plainAction('think', thoughts.join('\n\n'))];
}

function readSection({ role, text, label }: Section, next: Section | undefined, inner: ReadInner): Action[] {
  if (text === '' || role === undefined || role === 'thought' || role === 'input' || role === 'observation') return [];
  // With its label, so that it does not read as part of the input above it.
  if (role === 'answer') return [finishAction('finish', { answer: text }, `${label}${text}`)];
  const name = ['`', '"', '['].includes(text.charAt(0)) ? text.slice(1, -1) : text;
  if (role === 'action' && next?.role === 'input' && isToolName(name)) {
    const [input = next.text] = fencesIn(next.text).map((fenced) => fenced.text);
    return actionsOfCall(
      { verb: name, args: argumentsOf(readLiteral(input) ?? input) },
      `${label}${text}\n${next.label}${input}`,
    );
  }
  const isWrapped = fencesIn(text).length > 0;
  const bare = withoutMarks(text).text;
  if (role === 'command' && !isWrapped && !isTalk(bare) && looksLikeShell(bare) !== 'no')
    return executedAction('command', bare);
  return role === 'command' ? inner(text, { usesShell: true }) : inner(text);
}

function readFences(text: string, inner: ReadInner): Action[] | undefined {
  const fences = fencesIn(text);
  if (fences.length === 0 || (text.includes('<<') && looksLikeShell(text) === 'yes')) return undefined;
  const actions = fences.flatMap((fenced) => readFence(fenced, inner));
  return onlyDone(actions) ?? [plainAction('reply', text)];
}

const shellFences = new Set(['bash', 'sh', 'shell', 'zsh', 'console', 'terminal', 'powershell']);
/** Fence languages that are no scripts; the content decides. */
const dataFences = new Set(
  (
    'text txt plaintext markdown md json yaml yml toml xml html css csv http graphql gql diff patch output ' +
    'tool_code tool_call'
  ).split(' '),
);

function readFence({ text, language }: Fenced, inner: ReadInner): Action[] {
  if (language === undefined || dataFences.has(language)) return inner(text);
  if (shellFences.has(language)) return executedAction('command', withoutMarks(text).text);
  if (language.includes('sql')) return [sqlAction(withoutMarks(text).text)];
  // Tool calls in a script are calls; anything else is code.
  const calls = readValue(text, inner) ?? [];
  const areTools = calls.length > 0 && calls.every(({ kind, verb }) => kind === 'call' && !verb.includes('.'));
  return areTools ? calls : [codeAction(text, languageNamed(language))];
}

function readMarked(marked: string, context: ReadingContext, inner: ReadInner): Action[] | undefined {
  const { text, prompt } = withoutMarks(marked);
  if (text === marked) return undefined;
  return prompt === '>>>'
    ? [codeAction(text)]
    : inner(text, { ...context, usesShell: context.usesShell || prompt === '$' });
}

function readBare(text: string, context: ReadingContext, inner: ReadInner): Action[] {
  if (isTooDeep(text)) return [unreadable(text)];
  if (isEnd(text)) return [finishAction('finish', {}, text)];
  const document = readGraphql(text);
  if (document) {
    const query = oneLine(shapeOfGraphql(text, () => true) ?? text);
    return actionsOfCall({ verb: document.fields[0], args: { query } }, text);
  }
  if (readSql(text) !== undefined) return [sqlAction(text)];
  const keyed = readKeyedLines(text);
  if (keyed.length > 0) return keyed.slice(0, mostActions).flatMap((call) => actionsOfCall(call, call.text));
  const shell = looksLikeShell(text);
  if (shell === 'yes') return executedAction('command', text);
  const assigned = readAssignedCalls(text, inner);
  if (assigned) return assigned;
  const language = codeLanguage(text);
  if (language !== undefined) return [codeAction(text, language)];
  const bracketed = readBracketedLines(text);
  if (bracketed.length > 0) return bracketed.slice(0, mostActions).flatMap((call) => actionsOfCall(call, call.text));
  const calls = readAmongWords(text, inner);
  if (calls) return calls;
  if ((shell === 'maybe' && context.usesShell && !isTalk(text)) || isCommandLine(text, context.usesShell)) {
    return executedAction('command', text);
  }
  return (
    readOfProgram(text, context) ??
    readOrders(text) ??
    readCut(text, inner) ?? [text.length > longestReply ? unreadable(text) : plainAction('reply', text)]
  );
}

function readOfProgram(text: string, { programs, takesBareWords }: ReadingContext): Action[] | undefined {
  const first = firstOfBareWords(text);
  return first !== '' && (takesBareWords || programs?.has(first)) ? executedAction('command', text) : undefined;
}

/** Only a sign of completion: `done`, `TASK_COMPLETE`. */
function isEnd(text: string): boolean {
  return text.length < 40 && /^[A-Za-z_ ]+[.!]?$/.test(text) && roleOf(text, {}) === 'finish';
}

/** `rooms = find_rooms(city="Oslo")`: tool calls whose results get names. What takes a variable is a script. */
function readAssignedCalls(text: string, inner: ReadInner): Action[] | undefined {
  const lines = text.split('\n', mostOrders + 1);
  const calls = lines.map((line) => line.replace(/^[a-z_]\w{0,40} = (?=[a-z]\w{0,80}\()/, ''));
  const areCalls = calls.every((line) => isCallLiteral(readLiteral(line)) && !takesVariable(line));
  return lines.length > mostOrders || !areCalls || calls.join('\n') === text ? undefined : inner(calls.join('\n'));
}

/** A name that is neither quoted nor called nor the name of an argument. */
function takesVariable(call: string): boolean {
  const names = call.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '0').match(/\b[A-Za-z_]\w*\b(?!\s*[(=])/g) ?? [];
  return names.some((name) => !['true', 'false', 'null', 'none'].includes(name.toLowerCase()));
}

const callStart = /^[\p{L}_$][\p{L}\p{N}_$.]{0,80}\(/u;

/** Calls on separate lines among prose. */
function readAmongWords(text: string, inner: ReadInner): Action[] | undefined {
  const rawActions: RawAction[] = [];
  let tries = mostLinesTried;
  for (let at = 0; at < text.length && tries > 0; ) {
    const newline = text.indexOf('\n', at);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(at, Math.min(end, at + 400));
    const brackets = ['[', '{', '[{'].map((bracket) => line.indexOf(bracket)).filter((start) => start >= 0);
    const starts = callStart.test(line.trimStart()) ? [0, ...brackets] : brackets;
    const found = starts
      .map((start) => (tries-- > 0 ? literalAt(text, at + start) : undefined))
      .find((literal) => literal !== undefined && lineEnds(text, literal.end));
    const own =
      found === undefined || (Array.isArray(found.value) && found.value.length === 0) ? [] : rawActionsIn(found.value);
    rawActions.push(...own);
    at = found !== undefined && own.length > 0 ? found.end + 1 : end + 1;
  }
  return rawActions.length === 0 ? undefined : resolveActions(rawActions, inner);
}

function readOrders(text: string): Action[] | undefined {
  const lines = text.split('\n', mostOrders + 1).map((line) => line.trim());
  const orders = lines.filter((line) => line !== '').map((line) => ({ line, order: readOrder(line) }));
  if (orders.length > mostOrders || orders.some(({ order }) => order === undefined)) return undefined;
  return orders.flatMap(({ line, order }) => (order ? actionsOfCall(order, line) : []));
}

/** Accepts truncated calls. */
function readCut(text: string, inner: ReadInner): Action[] | undefined {
  const value = '[{'.includes(text.charAt(0)) || callStart.test(text) ? readCutLiteral(text) : undefined;
  const actions = value === undefined ? [] : resolveActions(rawActionsIn(value), inner, { value, source: text });
  return actions.length > 0 ? actions : undefined;
}
