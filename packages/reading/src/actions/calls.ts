import type { ActionKind, Arguments, Literal } from './action.js';
import {
  argumentKeys,
  callHolders,
  flatVerbKeys,
  isBesideCall,
  isCommonVerb,
  isThought,
  isToolName,
  keyNamed,
  pointsAtScreen,
  verbKeys,
  wordsOf,
} from './call-names.js';
import { editOf } from './edits.js';
import { executedIn } from './executed.js';
import { graphqlIn } from './graphql.js';
import { requestOf } from './http.js';
import { argumentsOf, isCallLiteral, isRecord, opened, writeLiteral } from './literals.js';

export interface Call {
  verb: string;
  args: Arguments;
  /** The source value without thoughts and call ids. */
  form: Literal;
}

/** A text wrapped in a value: `{"thought": …, "action": "open fridge 2"}`. `as` is set if its key implies the kind. */
export interface InnerText {
  text: string;
  as?: ActionKind;
}

export type RawAction = Call | InnerText;

/** Maximum nesting depth. */
const deepestHolder = 6;

/** The actions in a value, in order. Empty for plain data: a label, an answer, a record. */
export function rawActionsIn(value: Literal): RawAction[] {
  const rawActions = rawActionsOf(value, false, 0);
  return rawActions.length > 0 ? rawActions : heldAnywhere(value, 0);
}

function rawActionsOf(value: Literal, isHeld: boolean, depth: number): RawAction[] {
  if (depth > deepestHolder) return [];
  if (Array.isArray(value)) return rawActionsOfList(value, isHeld, depth);
  if (!isRecord(value)) return [];
  if (isCallLiteral(value)) return rawActionsOfCall(value.call, value.args, value, depth);
  return rawActionsOfRecord(value, isHeld, depth);
}

/** Every item must be an action, otherwise the list is data. Text blocks are skipped if a message has other blocks. */
function rawActionsOfList(items: readonly Literal[], isHeld: boolean, depth: number): RawAction[] {
  const isBlock = (item: Literal) => isRecord(item) && wordBlocks.has(String(item['type']));
  const found = items
    .filter((item) => !isBlock(item))
    .map((item) => (typeof item === 'string' && isHeld ? [{ text: item }] : rawActionsOf(item, isHeld, depth + 1)));
  if (found.length > 0) return found.every((rawActions) => rawActions.length > 0) ? found.flat() : [];
  const words = items.flatMap((item) => (isRecord(item) && typeof item['text'] === 'string' ? [item['text']] : []));
  return words.length === 0 ? [] : [{ text: words.join('\n') }];
}

const wordBlocks = new Set(['text', 'output_text', 'thinking', 'reasoning']);
const otherSpeakers = ['human', 'user', 'system', 'tool', 'function'];

function isOtherSpeaker(name: string): boolean {
  return otherSpeakers.some((speaker) => name.toLowerCase().startsWith(speaker));
}

/** Class names such as `AIMessage` are no tools. */
function isClassName(name: string): boolean {
  return name.charAt(0) !== name.charAt(0).toLowerCase();
}

/** `search(q="x")` is a call; `ToolCall(name="search", …)` and `AIMessage(tool_calls=[…])` contain one. */
function rawActionsOfCall(name: string, args: Arguments, form: Literal, depth: number): RawAction[] {
  const isPrinted = isClassName(name) && !executedIn(name, args);
  const isMessage = name.includes('Message');
  if (isPrinted && isMessage && isOtherSpeaker(name)) return [];
  const said = isMessage ? { role: 'assistant', ...args } : args;
  const printed = isPrinted ? rawActionsOfRecord(said, false, depth + 1) : [];
  return printed.length > 0 ? printed : [callOf(name, args, form)];
}

/** A message by somebody other than the agent. */
function isOfAnother({ role }: Arguments): boolean {
  return typeof role === 'string' && isOtherSpeaker(role);
}

function rawActionsOfRecord(record: Arguments, isHeld: boolean, depth: number): RawAction[] {
  if (isOfAnother(record)) return [];
  if (requestOf(record)) return [{ verb: 'request', args: record, form: record }];
  return (
    heldBy(record, callHolders, depth) ??
    withArguments(record) ??
    flat(record, isHeld) ??
    graphqlOf(record) ??
    innerTextOf(record) ??
    message(record, depth) ??
    byOneKey(record, isHeld) ??
    []
  );
}

/** `{"tool_calls": [{…}]}`, `{"current_state": {…}, "action": [{…}]}` */
function heldBy(record: Arguments, holders: readonly string[], depth: number): RawAction[] | undefined {
  for (const holder of holders) {
    const key = keyNamed(record, [holder], (value) => structured(value) !== undefined);
    const held = key === undefined ? undefined : structured(record[key]);
    if (held === undefined || (holder === 'command' && Array.isArray(held))) continue;
    const rawActions = rawActionsOf(held, true, depth + 1);
    if (rawActions.length > 0) return rawActions;
  }
  return undefined;
}

/** A non-empty object or list, possibly as JSON in a string. */
function structured(value: Literal | undefined): Literal[] | Arguments | undefined {
  const read = value === undefined ? undefined : opened(value);
  if (typeof read !== 'object' || read === null) return undefined;
  return Object.keys(read).length === 0 ? undefined : read;
}

/** `{"name": "search", "arguments": {…}}` */
function withArguments(record: Arguments): RawAction[] | undefined {
  const argumentKey = keyNamed(record, argumentKeys, () => true);
  const verbKey = keyNamed(record, verbKeys, isToolName) ?? keyNamed(record, ['action'], isPhrase);
  if (argumentKey === undefined || verbKey === undefined) return undefined;
  const verb = record[verbKey] as string;
  const given = record[argumentKey] ?? {};
  const { [verbKey]: _verb, [argumentKey]: _given, ...rest } = record;
  const beside = withoutNoise(rest, true);
  const isPlain = ['name', 'method', 'call', 'api'].includes(verbKey);
  if (isPlain && (!isStructure(given) || Object.keys(beside).length > 0)) return undefined;
  const args = { ...argumentsOf(given), ...beside };
  const inner = isGateway(verb) ? withArguments(args) : undefined;
  if (inner) return inner;
  return [callOf(verb, args, formOf(record, { [verbKey]: verb, [argumentKey]: given, ...beside }))];
}

/** Arguments are an object or list, even if empty; a string is as likely a field of a record. */
function isStructure(given: Literal): boolean {
  const read = opened(given);
  return (typeof read === 'object' && read !== null) || read === '';
}

/** `{"action": "Final Answer", "action_input": …}` */
function isPhrase(value: Literal): boolean {
  const words = typeof value === 'string' ? value.split(' ') : [];
  return words.length > 1 && words.length < 5 && words.every(isToolName);
}

/** Tools that only call another: `tools/call`, `use_mcp_tool`. */
function isGateway(verb: string): boolean {
  return wordsOf(verb).every((word) => gatewayWords.has(word));
}

const gatewayWords = new Set(['tools', 'tool', 'call', 'use', 'mcp', 'invoke', 'function']);

/** `{"action_type": "click", "index": 3}`: arguments next to the verb. */
function flat(record: Arguments, isHeld: boolean): RawAction[] | undefined {
  const keys = [
    ...flatVerbKeys,
    ...(isHeld || pointsAtScreen(record) ? ['type', 'name'] : []),
    ...(Object.hasOwn(record, 'domain') ? ['service'] : []),
  ];
  const key = keyNamed(record, keys, isToolName);
  if (key === undefined || (key === 'command' && executedIn(undefined, withoutNoise(record, false)))) return undefined;
  const { [key]: verb, ...rest } = record;
  const args = withoutNoise(rest, false);
  return [callOf(verb as string, args, formOf(record, { [key]: verb as string, ...args }))];
}

/** `{"query": "mutation { … }", "variables": {…}}` */
function graphqlOf(record: Arguments): RawAction[] | undefined {
  const document = graphqlIn(record);
  if (!document) return undefined;
  const own = withoutNoise(record, false);
  return [callOf(document.fields[0], own, formOf(record, own))];
}

/** `{"thought": …, "command": "ls -la"}`: one text and thoughts about it. */
function innerTextOf(record: Arguments): RawAction[] | undefined {
  const own = withoutNoise(record, true);
  const executed = executedIn(undefined, own);
  if (executed) return [{ text: executed.text, as: executed.kind }];
  if (editOf('', own)) return [{ verb: 'edit', args: own, form: own }];
  const [only, ...others] = Object.entries(own);
  if (only === undefined) return thoughtsOf(record);
  const [key, text] = only;
  if (others.length > 0 || typeof text !== 'string' || text.trim() === '') return undefined;
  if (textHolders.has(key)) return [{ text }];
  if (wordsOf(key).includes('final')) return [{ text, as: 'finish' }];
  const hasThoughts = Object.entries(record).some(([name, value]) => isThought(name, value));
  return hasThoughts && wordsForPeople.has(key) ? [{ text, as: 'reply' }] : undefined;
}

const textHolders = new Set(['action', 'next_action', 'act', 'tool_call', 'function_call', 'command']);
const wordsForPeople = new Set(['answer', 'response', 'reply', 'message', 'content', 'text']);

function thoughtsOf(record: Arguments): RawAction[] | undefined {
  const thoughts = Object.entries(record).filter(([key, value]) => isThought(key, value));
  if (thoughts.length === 0) return undefined;
  const text = thoughts
    .map(([, thought]) => (typeof thought === 'string' ? thought : writeLiteral(thought)))
    .join('\n');
  return [{ text, as: 'think' }];
}

/** A model message without tool calls. */
function message(record: Arguments, depth: number): RawAction[] | undefined {
  const isMessage = messageKeys.some((key) => Object.hasOwn(record, key));
  const content = record['content'];
  if (!isMessage || content === undefined) return undefined;
  if (typeof content === 'string') return content.trim() === '' ? undefined : [{ text: content }];
  return Array.isArray(content) ? rawActionsOfList(content, false, depth + 1) : undefined;
}

const messageKeys = ['role', 'additional_kwargs', 'response_metadata', 'tool_calls'];

/** `{"search": {"q": "x"}}`. In a list of actions any key is a verb; elsewhere it must start with one or have two words. */
function byOneKey(record: Arguments, isHeld: boolean): RawAction[] | undefined {
  const own = withoutNoise(record, true);
  const [only, ...others] = Object.entries(own);
  if (only === undefined || others.length > 0) return undefined;
  const [verb, given] = only;
  if (!isToolName(verb) || !(isHeld || (isRecord(given) && (isCommonVerb(verb) || verb.includes('_')))))
    return undefined;
  return [callOf(verb, argumentsOf(given), formOf(record, own))];
}

/** Calls nested in a larger record, found by unambiguous keys: `{"agent": {"messages": [AIMessage(…)]}}`. */
function heldAnywhere(value: Literal, depth: number): RawAction[] {
  if (depth > deepestHolder || typeof value !== 'object' || value === null) return [];
  if (isCallLiteral(value)) {
    return isClassName(value.call) && messageKeys.concat('content').some((key) => Object.hasOwn(value.args, key))
      ? rawActionsOfCall(value.call, value.args, value, 0)
      : [];
  }
  if (isRecord(value)) {
    if (isOfAnother(value)) return [];
    const held = value['type'] === 'tool_use' ? withArguments(value) : heldBy(value, callHolders.slice(0, 6), 0);
    if (held) return held;
  }
  return Object.values(value).flatMap((item) => heldAnywhere(item, depth + 1));
}

function callOf(verb: string, args: Arguments, form: Literal): Call {
  const { 0: first, ...named } = args;
  const isSpread = isRecord(first) && !isCallLiteral(first) && Object.keys(named).length === 0;
  return {
    verb: verb.startsWith('functions.') ? verb.slice('functions.'.length) : verb,
    args: isSpread ? first : args,
    form,
  };
}

/** Returns the same record if nothing was removed. */
function formOf(record: Arguments, own: Arguments): Arguments {
  return Object.keys(own).length === Object.keys(record).length ? record : own;
}

function withoutNoise(record: Arguments, isApart: boolean): Arguments {
  return Object.fromEntries(Object.entries(record).filter(([key, value]) => !isBesideCall(key, value, isApart)));
}
