import type { Action, Arguments, Literal } from './action.js';

/** A possible tool name: one word without spaces. */
const toolName = /^[\p{L}_$][\p{L}\p{N}_$.:/-]{0,79}$/u;

/** Keys for the tool name when arguments are separate: `{"name": …, "arguments": …}`. */
export const verbKeys = (
  'tool tool_name action action_type action_name op operation command function function_name recipient_name method name ' +
  'call api'
).split(' ');

/** Keys for the tool name when arguments are next to it; other keys are just as often data. */
export const flatVerbKeys: readonly string[] = [...verbKeys.slice(0, 8), 'cmd', 'fn', 'func'];

export const argumentKeys =
  'arguments args parameters params input inputs kwargs action_input action_args tool_input tool_args tool_kwargs'.split(
    ' ',
  );

/** Keys that always hold calls. */
export const callHolders =
  'tool_calls tool_call tool_uses tool_use function_calls function_call function actions action command tool'.split(
    ' ',
  );

/** Call ids rather than arguments. */
const callNumbers = new Set(['call_id', 'tool_call_id', 'tool_use_id', 'tool_id', 'jsonrpc']);
/** Additional call ids when arguments are separate; otherwise these could be arguments. */
const callLabels = new Set(['id', 'type', 'index', 'role', 'status']);

const thoughtWords = new Set(['thought', 'thoughts', 'thinking', 'reasoning', 'rationale']);
/** Thoughts only if they hold a sentence: `plan` can also be a customer's plan. */
const sentenceWords = new Set(['reflection', 'explanation', 'analysis', 'plan', 'observation']);

/** Common first words of tools: distinguish `{"search": {…}}` from `{"customer": {…}}`. */
const commonVerbs = new Set(
  (
    'add book buy call cancel check click close copy create delete drop edit execute fetch find get go goto insert list ' +
    'look lookup make move navigate open pick press put query read remove run save scroll search select send set show ' +
    'start stop take turn type unlock lock update use view visit wait write'
  ).split(' '),
);

/** Arguments of screen actions: distinguish `{"type": "click", "x": 3}` from a typed record. */
const pointers = new Set(['x', 'selector', 'element', 'element_id', 'ref', 'url', 'keys', 'coordinate', 'bid']);

/** Arguments that only say where on a page: without their values nothing is left of a call. */
const places = new Set([
  'x',
  'y',
  'selector',
  'xpath',
  'element',
  'element_id',
  'ref',
  'bid',
  'index',
  'coordinate',
  'coordinates',
]);
const selector = /^(?:[#.[]|\/\/|css=|xpath=)/;

export function isToolName(value: Literal | undefined): value is string {
  return typeof value === 'string' && toolName.test(value);
}

/** `getUser_by-id` becomes `get`, `user`, `by`, `id`. */
export function wordsOf(name: string): string[] {
  const words = name.slice(0, 200).split(/[^\p{L}\p{N}]+|(?<=[\p{Ll}\d])(?=\p{Lu})/u);
  return words.filter((word) => word !== '').map((word) => word.toLowerCase());
}

/** The words of `delete_order` in `mcp__shop.orders.delete_order`. */
export function lastWordsOf(name: string): string[] {
  const parts = name.slice(0, 200).split(/[.:/]|__/);
  return wordsOf(parts.findLast((part) => part !== '') ?? '');
}

/** Maps `toolName` and `next_tool_name` to `tool_name`. */
function plainKey(key: string): string {
  const words = wordsOf(key);
  return (words.length > 1 && words[0] === 'next' ? words.slice(1) : words).join('_');
}

/** The record's key for the first of these names, in any spelling. */
export function keyNamed(
  record: Arguments,
  names: readonly string[],
  fits: (value: Literal) => boolean,
): string | undefined {
  const keys = Object.entries(record).flatMap(([key, value]) => (fits(value) ? [[plainKey(key), key] as const] : []));
  const byName = new Map(keys.reverse());
  const name = names.find((candidate) => byName.has(candidate));
  return name === undefined ? undefined : byName.get(name);
}

export function isThought(key: string, value: Literal): boolean {
  const words = wordsOf(key);
  if (words.some((word) => thoughtWords.has(word))) return true;
  const isSentence = typeof value === 'string' && (value === '' || value.trim().split(' ').length > 3);
  return isSentence && words.some((word) => sentenceWords.has(word));
}

/** Keys next to a tool name that are no arguments. `isApart`: arguments have a key of their own. */
export function isBesideCall(key: string, value: Literal, isApart: boolean): boolean {
  return isThought(key, value) || callNumbers.has(plainKey(key)) || (isApart && callLabels.has(key));
}

export function isCommonVerb(name: string): boolean {
  return commonVerbs.has(wordsOf(name)[0] ?? '');
}

/**
 * What a general tool is told to do, beside an object of arguments: `call_service("light.turn_on", {…})`,
 * `run_action(operation="create_ticket", data={…})`. `update_task("call_mira", {…})` names no operation.
 */
export function operationIn(args: Arguments): string | undefined {
  const entries = Object.entries(args);
  const takesArguments = entries.some(
    ([, value]) => typeof value === 'object' && value !== null && !Array.isArray(value),
  );
  const [, operation] = entries.find(([key, value]) => isOperation(plainKey(key), value)) ?? [];
  return takesArguments && typeof operation === 'string' ? operation : undefined;
}

/** Arguments whose value is an operation. */
const operationKeys = new Set(
  verbKeys.filter((key) => !['command', 'recipient_name', 'name', 'call', 'api'].includes(key)),
);

function isOperation(key: string, value: Literal): boolean {
  if (!isToolName(value) || /[\d/]/.test(value) || wordsOf(value).length < 2) return false;
  const parts = value.split(/[.:]/);
  if (parts.length > 1) return isCommonVerb(parts.at(-1) ?? '');
  return operationKeys.has(key) && wordsOf(value).some((word) => commonVerbs.has(word));
}

export function pointsAtScreen(args: Arguments): boolean {
  return Object.keys(args).some((key) => pointers.has(key));
}

/** `click(selector="#a3f")`, `tap({"x": 3, "y": 5})`, `click [12]`: says where, and nothing about what is there. */
export function onlyPoints({ kind, args = {}, text }: Action): boolean {
  const given = Object.entries(args).filter(([, value]) => typeof value !== 'boolean' && value !== null);
  const isNumbered = /^\w+ ?\[\d+\]/.test(text);
  return (
    kind === 'call' &&
    given.length > 0 &&
    given.every(([name, value]) =>
      /^\d+$/.test(name) ? isNumbered || selector.test(String(value)) : places.has(name.toLowerCase()),
    )
  );
}

/** The role of a call by the words of its name: all must fit the role, and one must be central to it. */
interface RoleRow {
  kind: 'finish' | 'reply' | 'think';
  heart: ReadonlySet<string>;
  beside: ReadonlySet<string>;
  /** Allowed arguments; any other means that the call does something. */
  keys: ReadonlySet<string>;
}

const setOf = (words: string) => new Set(words.split(' '));

const roleRows: readonly RoleRow[] = [
  {
    kind: 'finish',
    heart: setOf('finish finished done submit final stop complete completed completion terminate exit end'),
    beside: setOf('task answer attempt agent action response result run episode'),
    keys: setOf('0 answer result response text message content value output outputs summary success status reason'),
  },
  {
    kind: 'reply',
    heart: setOf('respond reply say tell ask message msg answer'),
    beside: setOf('to user human customer send question followup action response'),
    keys: setOf('0 content message text msg question response answer options'),
  },
  {
    kind: 'think',
    heart: setOf('think thought thinking reason reflect reflection scratchpad'),
    beside: setOf('action tool step'),
    keys: setOf('0 thought thoughts content text reasoning'),
  },
];

export function roleOf(verb: string, args: Arguments): RoleRow['kind'] | undefined {
  const words = wordsOf(verb);
  const row = roleRows.find(
    ({ heart, beside, keys }) =>
      words.some((word) => heart.has(word)) &&
      words.every((word) => heart.has(word) || beside.has(word)) &&
      Object.entries(args).every(([key, value]) => keys.has(key) || isThought(key, value)),
  );
  return row?.kind;
}

const contentKeys = 'answer result response text message content question msg value output summary thought 0'.split(
  ' ',
);

/** The text of a call that only talks. */
export function contentOf(args: Arguments): Literal | undefined {
  const key = contentKeys.find((name) => Object.hasOwn(args, name));
  return key === undefined ? undefined : args[key];
}
