import type { Arguments, Literal } from './action.js';

/** A name that a tool could have: one word without spaces. */
const toolName = /^[\p{L}_$][\p{L}\p{N}_$.:/-]{0,79}$/u;

/** Where an object names what is done, when it keeps the arguments apart: `{"name": …, "arguments": …}`. */
export const verbKeys = (
  'tool tool_name action action_type action_name op operation command function function_name recipient_name method name ' +
  'call api'
).split(' ');

/** Where an object names what is done with its arguments beside it: other keys are as often fields of plain data. */
export const flatVerbKeys: readonly string[] = verbKeys.slice(0, 8);

export const argumentKeys =
  'arguments args parameters params input inputs kwargs action_input action_args tool_input tool_args tool_kwargs'.split(
    ' ',
  );

/** Where one object holds others that are calls, whatever stands next to them. */
export const callHolders =
  'tool_calls tool_call tool_uses tool_use function_calls function_call function actions action command tool'.split(
    ' ',
  );

/** Numbers of calls, not arguments of them. */
const callNumbers = new Set(['call_id', 'tool_call_id', 'tool_use_id', 'tool_id', 'jsonrpc']);
/** The same where the arguments are kept apart; beside them, each could be one. */
const callLabels = new Set(['id', 'type', 'index', 'role', 'status']);

const thoughtWords = new Set(['thought', 'thoughts', 'thinking', 'reasoning', 'rationale']);
/** These are thoughts only where they hold a sentence: a `plan` can be what a customer pays for. */
const sentenceWords = new Set(['reflection', 'explanation', 'analysis', 'plan', 'observation']);

/** Verbs that most tools begin with: what tells `{"search": {…}}` from `{"customer": {…}}`. */
const commonVerbs = new Set(
  (
    'add book buy call cancel check click close copy create delete drop edit execute fetch find get go goto insert list ' +
    'look lookup make move navigate open pick press put query read remove run save scroll search select send set show ' +
    'start stop take turn type update use view visit wait write'
  ).split(' '),
);

/** What a keyword points at on a screen: tells `{"type": "click", "x": 3}` from a record with a type. */
const pointers = new Set(['x', 'selector', 'element', 'element_id', 'ref', 'url', 'keys', 'coordinate', 'bid']);

export function isToolName(value: Literal | undefined): value is string {
  return typeof value === 'string' && toolName.test(value);
}

/** `getUser_by-id` is `get`, `user`, `by`, `id`. */
export function wordsOf(name: string): string[] {
  const words = name.slice(0, 200).split(/[^\p{L}\p{N}]+|(?<=[\p{Ll}\d])(?=\p{Lu})/u);
  return words.filter((word) => word !== '').map((word) => word.toLowerCase());
}

/** `toolName` and `next_tool_name` are `tool_name`. */
function plainKey(key: string): string {
  const words = wordsOf(key);
  return (words.length > 1 && words[0] === 'next' ? words.slice(1) : words).join('_');
}

/** The key of a record that has the first of these names, however it is spelt. */
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

/** What stands next to a verb and is no argument. `isApart`: the arguments have a key of their own. */
export function isBesideCall(key: string, value: Literal, isApart: boolean): boolean {
  return isThought(key, value) || callNumbers.has(plainKey(key)) || (isApart && callLabels.has(key));
}

export function isCommonVerb(name: string): boolean {
  return commonVerbs.has(wordsOf(name)[0] ?? '');
}

export function pointsAtScreen(args: Arguments): boolean {
  return Object.keys(args).some((key) => pointers.has(key));
}

/** What a call is to the world, by the words of its name. All of them belong to the role, and one is at its heart. */
interface RoleRow {
  kind: 'finish' | 'reply' | 'think';
  heart: ReadonlySet<string>;
  beside: ReadonlySet<string>;
  /** The arguments that such a call can have; with another, it does something. */
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

/** What a call that only says something says. */
export function contentOf(args: Arguments): Literal | undefined {
  const key = contentKeys.find((name) => Object.hasOwn(args, name));
  return key === undefined ? undefined : args[key];
}
