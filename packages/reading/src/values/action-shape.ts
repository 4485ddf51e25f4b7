import type { Action, Arguments, Literal } from '../actions/action.js';
import { operationIn } from '../actions/call-names.js';
import { shapeOfGraphql } from '../actions/graphql.js';
import { pathIn } from '../actions/http.js';
import { type CallLiteral, isCallLiteral, isRecord, literalAt, opened, readLiteral } from '../actions/literals.js';
import { isOrderLink, readKeyed } from '../actions/orders.js';
import { namesPerson } from './fields.js';
import { isId, isIdInPath } from './ids.js';
import { replaceInRecord } from './records.js';
import { isDigits } from './tokens.js';
import { maskCode, maskData, maskText } from './values.js';

/** `name`: of the argument that has the value. */
type MayShow = (value: string, name?: string) => boolean;

const deepest = 8;
const mostFields = 60;
const mostShown = 20;
const longestText = 20_000;
const anything = '…';

export interface DataMasking {
  /** Of what is data by where it stands in a command, query or script. */
  mayShow?: MayShow;
  isOtherCase?: boolean;
}

/**
 * An action as other tasks may see it: argument names, and only those values that may be shown. Commands, queries, code and
 * edits keep everything except personal values.
 */
export function shapeOfAction(action: Action, mayShow: MayShow, data: DataMasking = {}): string {
  const { kind, verb, args } = action;
  const hasData = kind === 'command' || kind === 'sql' || kind === 'code';
  const text = hasData ? maskData(action.text, data.mayShow ?? mayShow, data.isOtherCase ?? false) : action.text;
  if (kind === 'code') return maskCode(withoutFreeText(text.slice(0, longestText), mayShow), mayShow);
  if (kind === 'command' || kind === 'sql' || kind === 'edit') return maskCode(text, mayShow);
  if (kind === 'http') return shapeOfRequest(action, mayShow);
  if (!args) return maskText(text, mayShow);
  const written = readLiteral(text);
  const hasVariables = isCallLiteral(written) && variable.test(text);
  // `fit(x, y)` is code, and what it is given depends on no case.
  if (hasVariables && data.isOtherCase === false) return maskCode(withoutFreeText(text, mayShow), mayShow);
  // Keeps the syntax the agent used, since it must use it again.
  if (!isRecord(written)) {
    const shape =
      shapeOfGraphql(text, mayShow) ??
      shapeOfLabelled(action, mayShow) ??
      shapeOfKeyed(text, mayShow) ??
      shapeOfOrder(verb, args, text, mayShow);
    if (shape !== undefined) return shape;
  }
  const form = isRecord(written) ? written : { call: verb, args: positionalFirst(args) };
  const names = [verb, operationIn(args) ?? verb].map((name) => nameOf(name, mayShow));
  const shape = shapeOf(form, (value, name) => names.includes(value) || mayShow(value, name), 0);
  const own = hasVariables ? withoutQuotes(shape, text) : shape;
  return pythonConstant.test(text) ? inPython(own) : own;
}

/** An argument that is no literal: `x`, `df.age`, but no id. */
const variable = /[=(,[]\s*(?!(?:[Tt]rue|[Ff]alse|null|None)\b)(?![\w.]*\d{3})[\p{L}_$][\p{L}\p{N}_$.]*\s*(?=[,)\]])/u;

/** Those of what is quoted neither in the text nor a value at all. */
function withoutQuotes(shape: string, text: string): string {
  const isQuoted = (value: string) =>
    [`"${value}"`, `'${value}'`, `\`${value}\``].some((quoted) => text.includes(quoted));
  return shape.replace(/"([\p{L}_$][\p{L}\p{N}_$.]*|…)"/gu, (quoted, value: string) =>
    isQuoted(value) ? quoted : value,
  );
}

const pythonConstant = /[=(,[{:]\s*(?:True|False|None)\s*[,)\]}]/;

/** `enabled=False`, which JSON writes as `false`. */
function inPython(shape: string): string {
  const written = { true: 'True', false: 'False', null: 'None' };
  return shape.replace(
    /(?<=[=(,[{:] ?)(true|false|null)(?=[,)\]}])/g,
    (constant) => written[constant as keyof typeof written],
  );
}

/**
 * A reply as other wordings of its task may see it. What it tells in the form of a record (JSON, XML, YAML, CSV) is data of one
 * case, whatever it looks like.
 */
export function shapeOfReply(text: string, mayShow: MayShow): string {
  const replace = (value: string) => (mayShow(value) ? value : anything);
  const read = text.slice(0, longestText);
  return maskText(withShapes(read, mayShow) ?? replaceInRecord(read, replace) ?? text, mayShow);
}

const mostObjects = 100;

/** The text with the shapes of the objects in it; `undefined` if they hold fewer than two values, such as one label. */
function withShapes(text: string, mayShow: MayShow): string | undefined {
  const parts: string[] = [];
  let values = 0;
  let done = 0;
  for (const { index } of [...text.matchAll(/[{[]/g)].slice(0, mostObjects)) {
    const found = index < done ? undefined : literalAt(text, index);
    if (!found || !text.slice(index, found.end).includes('"')) continue;
    values += leavesIn(found.value);
    parts.push(text.slice(done, index), shapeOf(found.value, mayShow, 0));
    done = found.end;
  }
  return values > 1 ? parts.join('') + text.slice(done) : undefined;
}

function leavesIn(value: Literal): number {
  return typeof value === 'object' && value !== null
    ? Object.values(value).reduce<number>((sum, item) => sum + leavesIn(item), 0)
    : 1;
}

/** As the agent wrote it if that is an object or a call; otherwise `POST /orders {"item": …}`. */
function shapeOfRequest({ verb, object = '', args = {}, text }: Action, mayShow: MayShow): string {
  const written = readLiteral(text.slice(0, longestText));
  if (isRecord(written)) {
    const addresses: string[] = [];
    const shape = shapeOf(
      written,
      (value, name) => {
        if (pathIn(value) !== object) return value.toUpperCase() === verb || mayShow(value, name);
        addresses.push(value);
        return true;
      },
      0,
    );
    return addresses.reduce(
      (shown, url) => shown.replace(JSON.stringify(url), () => JSON.stringify(shapeOfAddress(url, mayShow))),
      shape,
    );
  }
  const { query, body } = args;
  const pairs = isRecord(query) ? Object.entries(query).map(([name, value]) => `${name}=${String(value)}`) : [];
  const address = [object, pairs.join('&')].filter((part) => part !== '').join('?');
  const sent = body === undefined ? '' : ` ${shapeOf(body, mayShow, 0)}`;
  return `${verb} ${shapeOfAddress(address.slice(0, longestText), mayShow)}${sent}`;
}

const actionLabels = /^(Action: ?[^\n]{1,100}\nAction Input: ?)(.*)$/is;

/** `Action: …` with `Action Input: …`; `Final Answer: …` */
function shapeOfLabelled({ kind, args, text }: Action, mayShow: MayShow): string | undefined {
  const answer = args?.['answer'];
  if (kind === 'finish' && typeof answer === 'string' && text.endsWith(`: ${answer}`))
    return text.slice(0, -answer.length) + (mayShow(answer) ? answer : anything);
  const [, labels, input = ''] = actionLabels.exec(text.slice(0, longestText)) ?? [];
  if (labels === undefined) return undefined;
  const value = readLiteral(input) ?? input;
  if (typeof value === 'string')
    return `${labels}${mayShow(input) ? input : (shapeOfGraphql(input, mayShow) ?? anything)}`;
  return `${labels}${shapeOf(value, mayShow, 0)}`;
}

/** `set_lamp room=attic` */
function shapeOfKeyed(text: string, mayShow: MayShow): string | undefined {
  const order = readKeyed(text.trim());
  if (!order) return undefined;
  const shown = (name: string, value: string) => (mayShow(value, name) ? value : anything);
  const written = (value: string) => (/\s/.test(value) ? JSON.stringify(value) : value);
  return [
    order.verb,
    ...Object.entries(order.args).map(([name, value]) => `${name}=${written(shown(name, value))}`),
  ].join(' ');
}

/** `search[tea]`, `click [12]`, `go to shelf 1`: small words are kept. */
function shapeOfOrder(verb: string, args: Arguments, text: string, mayShow: MayShow): string | undefined {
  const values = Object.values(args);
  const given = text.startsWith(verb) ? text.slice(verb.length) : '';
  if (!values.every((value) => typeof value === 'string') || !/^ ?\[|^ /.test(given)) return undefined;
  const shown = values.map((value) => (mayShow(value) || value.split('/').every(isOrderLink) ? value : anything));
  if (given.startsWith('[')) return `${verb}[${shown.join(', ')}]`;
  if (given.startsWith(' [') && given.endsWith(']')) return `${verb} ${shown.map((value) => `[${value}]`).join(' ')}`;
  const words = shown.map((value) => (value.includes(' ') ? `"${value}"` : value));
  return [verb, ...words.filter((word, at) => word !== anything || words[at - 1] !== anything)].join(' ');
}

/** Positional arguments first, named ones in an object after them. */
function positionalFirst(args: Arguments): Arguments {
  const entries = Object.entries(args);
  const placed = entries.filter(([name], at) => name === String(at));
  const named = entries.slice(placed.length);
  return Object.fromEntries(
    named.length === 0 ? placed : [...placed, [String(placed.length), Object.fromEntries(named)]],
  );
}

/** Scripts may pass on what a person said: strings of several words that the task does not contain. */
function withoutFreeText(code: string, mayShow: MayShow): string {
  return code.replace(/(["'])((?:[^"'\\\n]|\\.){12,2000})\1/g, (text, quote: string, said: string) =>
    /\p{Ll}+(?:[ ,.]+\p{Ll}+){3}/u.test(said) && !mayShow(said) ? `${quote}${anything}${quote}` : text,
  );
}

function shapeOf(value: Literal, mayShow: MayShow, depth: number): string {
  if (typeof value === 'string') return shapeOfText(value, mayShow, depth);
  if (value === null) return 'null';
  if (typeof value !== 'object') return mayShow(String(value)) ? String(value) : anything;
  if (depth >= deepest) return anything;
  if (isCallLiteral(value)) return shapeOfCall(value, mayShow, depth);
  return Array.isArray(value)
    ? shapeOfArray(value, mayShow, depth)
    : shapeOfObject(Object.entries(value), mayShow, depth);
}

/** Arguments are often JSON or GraphQL in a string. */
function shapeOfText(text: string, mayShow: MayShow, depth: number): string {
  const shown = text === '' || mayShow(text) ? text : shapeOfGraphql(text, mayShow);
  if (shown !== undefined) return JSON.stringify(shown);
  const inside = opened(text);
  return typeof inside === 'string' ? `"${anything}"` : shapeOf(inside, mayShow, depth + 1);
}

function shapeOfCall({ call, args }: CallLiteral, mayShow: MayShow, depth: number): string {
  const given = Object.entries(args).map(([name, value]) => {
    const shape = shapeOf(value, under(name, mayShow), depth + 1);
    return isDigits(name) ? shape : `${nameOf(name, mayShow)}=${shape}`;
  });
  return `${nameOf(call, mayShow)}(${given.join(', ')})`;
}

/** One element represents all, unless each may be shown. */
function shapeOfArray(values: readonly Literal[], mayShow: MayShow, depth: number): string {
  const shapes = values.slice(0, mostShown).map((value) => shapeOf(value, mayShow, depth + 1));
  if (values.length <= mostShown && shapes.every((shape) => !shape.includes(anything))) return `[${shapes.join(', ')}]`;
  return values.length === 1 ? `[${shapes[0]}]` : `[${shapes[0]}, ${anything}]`;
}

function shapeOfObject(entries: readonly [string, Literal][], mayShow: MayShow, depth: number): string {
  const shapes = entries.slice(0, mostFields).map(([name, value]) => {
    const inside = /s$/i.test(name) && namesPerson(name) ? keyedByName(value, mayShow) : value;
    return `"${nameOf(name, mayShow)}": ${shapeOf(inside, under(name, mayShow), depth + 1)}`;
  });
  if (entries.length > mostFields) shapes.push(anything);
  // Records keyed by id collapse into one.
  return `{${[...new Set(shapes)].join(', ')}}`;
}

/** Of nested arguments the innermost counts. */
function under(outer: string, mayShow: MayShow): MayShow {
  return (value, name = outer) => mayShow(value, name);
}

/** `{"customers": {"marlow": {…}}}`: such names are values. */
function keyedByName(value: Literal, mayShow: MayShow): Literal {
  if (!isRecord(value) || !Object.values(value).every(isRecord)) return value;
  const entries = Object.entries(value).map(([name, inside]) => [mayShow(name) ? name : anything, inside] as const);
  return Object.fromEntries(entries);
}

/** Names of arguments and tools may be shown, unless they look like values. */
function nameOf(name: string, mayShow: MayShow): string {
  const isName = /^[\p{L}_$@][\p{L}\p{N}_$.:@/-]{0,80}$/u.test(name) && !isId(name) && !name.includes('@', 1);
  return isName || (isDigits(name) && name.length < 3) || mayShow(name) ? name : anything;
}

function shapeOfAddress(address: string, mayShow: MayShow): string {
  const [path = '', ...query] = address.split('?');
  const parts = path
    .split('/')
    .map((part, at, all) =>
      (isIdInAddress(part) || (part !== '' && namesPerson(all[at - 1] ?? ''))) && !mayShow(decoded(part))
        ? anything
        : part,
    );
  if (query.length === 0) return parts.join('/');
  const pairs = query
    .join('?')
    .split('&')
    .map((pair) => {
      const [name, ...rest] = pair.split('=');
      const value = rest.join('=');
      return value === '' || mayShow(decoded(value), name) ? pair : `${name}=${anything}`;
    });
  return `${parts.join('/')}?${pairs.join('&')}`;
}

function isIdInAddress(part: string): boolean {
  return isDigits(part) || isIdInPath(part) || part.includes('%') || part.length > 60;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    return part;
  }
}
