import type { Action, Arguments, Literal } from './action.js';
import { isToolName } from './call-names.js';
import { isRecord, readLiteral } from './literals.js';

/** A request in any notation: an action without its text. */
export type Request = Omit<Action, 'text'> & { kind: 'http' };

const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);
const address = /^(?:https?:\/\/([^/?#\s]+))?([/][^?#\s]*)?(?:\?([^#\s]*))?(?:#\S*)?$/;

const urlKeys = ['url', 'uri', 'path', 'endpoint'];
const bodyKeys = ['body', 'json', 'data', 'payload'];
const queryKeys = ['params', 'query'];

/** Consecutive requests: a line with method and path, then headers, then a body. */
export function readRequests(text: string): Action[] | undefined {
  const lines = text.split('\n');
  if (!isRequestLine(lines[0] ?? '')) return undefined;
  const starts = lines.flatMap((line, number) => (isRequestLine(line) ? [number] : []));
  return starts.map((start, number) => readRequest(lines.slice(start, starts[number + 1])));
}

function isRequestLine(line: string): boolean {
  const { method, url } = partsOf(line.slice(0, 4_000));
  return methods.has(method) && isAddress(url);
}

/** `POST /orders HTTP/1.1 {"item": 3}`; version and body are optional. */
function partsOf(line: string): { method: string; url: string; body: string } {
  const [method = '', url = '', version = ''] = line.split(' ').filter((word) => word !== '');
  const given = line.slice(line.indexOf(url, method.length) + url.length).trim();
  return { method, url, body: version.startsWith('HTTP/') ? given.slice(version.length).trim() : given };
}

function isAddress(url: string): boolean {
  return (url.startsWith('/') || url.startsWith('http://') || url.startsWith('https://')) && address.test(url);
}

/** The path of an address, `/` if it has none; undefined for any other text. */
export function pathIn(url: string): string | undefined {
  return isAddress(url) ? (address.exec(url)?.[2] ?? '/') : undefined;
}

function readRequest([first = '', ...rest]: string[]): Action {
  const { method, url, body: sameLine } = partsOf(first);
  const bodyStart = rest.findIndex((line) => !isHeader(line));
  const below = bodyStart < 0 ? '' : rest.slice(bodyStart).join('\n').trim();
  const body = [sameLine, below].filter((part) => part !== '').join('\n');
  const text = [first, ...rest].join('\n').trim();
  return { ...requestTo(method, url, body === '' ? {} : { body: readLiteral(body) ?? body }), text };
}

function isHeader(line: string): boolean {
  const colon = line.indexOf(':');
  return isToolName(line.slice(0, Math.max(colon, 0))) && line.slice(colon + 1).trim() !== '';
}

/** `{"method": "POST", "url": …, "json": …}` */
export function requestOf(args: Arguments): Request | undefined {
  const method = args['method'];
  const url = firstOf(args, urlKeys);
  if (typeof method !== 'string' || !methods.has(method.toUpperCase())) return undefined;
  if (typeof url !== 'string' || !address.test(url) || url === '') return undefined;
  return requestTo(method.toUpperCase(), url, { ...given('body', args, bodyKeys), ...given('query', args, queryKeys) });
}

/** `client.post("/orders", {"item": 3})`, `fetch("/orders", {method: "POST"})` */
export function requestCall(verb: string, args: Arguments): Request | undefined {
  if (typeof args[0] === 'string' && isRecord(args[1]) && args[1]['method'] !== undefined) {
    return requestOf({ ...args[1], url: args[0] });
  }
  const method = verb.slice(verb.lastIndexOf('.') + 1).toUpperCase();
  const { 0: url, 1: body, ...rest } = args;
  if (!methods.has(method) || !verb.includes('.') || typeof url !== 'string') return undefined;
  if (!isAddress(url)) return undefined;
  const sent = body === undefined ? given('body', rest, bodyKeys) : { body };
  return requestTo(method, url, { ...sent, ...given('query', rest, queryKeys) });
}

function requestTo(method: string, url: string, sent: Arguments): Request {
  const [, host, path = '/', search] = address.exec(url) ?? [];
  const asked = search === undefined ? {} : Object.fromEntries(new URLSearchParams(search));
  const query = { ...asked, ...(isRecord(sent['query']) ? sent['query'] : {}) };
  const args: Arguments = {
    ...(host === undefined ? {} : { host }),
    ...(Object.keys(query).length === 0 ? {} : { query }),
    ...(sent['body'] === undefined || sent['body'] === null ? {} : { body: read(sent['body']) }),
  };
  return { kind: 'http', verb: method, object: path, args };
}

function read(body: Literal): Literal {
  return typeof body === 'string' ? (readLiteral(body) ?? body) : body;
}

function given(name: string, args: Arguments, keys: readonly string[]): Arguments {
  const value = firstOf(args, keys);
  return value === undefined ? {} : { [name]: value };
}

function firstOf(args: Arguments, keys: readonly string[]): Literal | undefined {
  const key = keys.find((name) => Object.hasOwn(args, name));
  return key === undefined ? undefined : args[key];
}
