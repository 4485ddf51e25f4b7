import type { Arguments } from './action.js';
import { isRecord } from './literals.js';

export interface GraphqlDocument {
  isMutation: boolean;
  /** What it asks for or does: `closeIssue`. The first is the name of the action. */
  fields: readonly [string, ...string[]];
}

const longestText = 100_000;
const blank = /[\s,\uFEFF]+|#[^\n]*/y;
const literal = /"""(?:[^\\]|\\[\s\S])*?"""|"(?:[^"\\\n]|\\.)*"|(?<!\w)-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?!\w)/y;
const nameOrSign = /[A-Za-z_]\w*|\.{3}|[!$&():=@[\]{|}]/y;
/** Stands for a literal. */
const value = '"';
const closing: Readonly<Record<string, string>> = { '{': '}', '(': ')', '[': ']' };
const closers = new Set(Object.values(closing));
const start = /^\s*(?:\{|(?:query|mutation|subscription|fragment)\b)/;
const definitions = new Set(['query', 'mutation', 'subscription', 'fragment']);

/** Reads a document by its tokens: names and nested braces, with literals only in brackets. */
export function readGraphql(text: string): GraphqlDocument | undefined {
  const tokens = start.test(text) ? tokensOf(text) : undefined;
  if (!tokens) return undefined;
  const fields: string[] = [];
  const open: string[] = [];
  let definition = 'query';
  let isMutation = false;
  let deepest = 0;
  for (const [at, token] of tokens.entries()) {
    const close = closing[token];
    if (open.length === 0 && definitions.has(token)) definition = token;
    if (close !== undefined) open.push(close);
    else if (token === open.at(-1)) open.pop();
    else if (closers.has(token) || (token === value && !open.includes(')'))) return undefined;
    else if (open.length === 0 && !mayStandOutside(tokens, at)) return undefined;
    else if (open.length === 1 && open[0] === '}' && definition !== 'fragment' && isField(tokens, at))
      fields.push(token);
    isMutation ||= definition === 'mutation';
    deepest = Math.max(deepest, open.length);
  }
  const [field, ...others] = fields;
  // Braces around words alone may be anything.
  if (open.length > 0 || field === undefined || (tokens[0] === '{' && deepest < 2)) return undefined;
  return { isMutation, fields: [field, ...others] };
}

const isName = (token = '') => /^[A-Za-z_]/.test(token);

/** `query Name`, `fragment Name on Type`, `@directive` */
function mayStandOutside(tokens: readonly string[], at: number): boolean {
  const [before = '', token = ''] = [tokens[at - 1], tokens[at]];
  return (
    token === '@' ||
    before === '@' ||
    before === 'on' ||
    token === 'on' ||
    definitions.has(token) ||
    definitions.has(before)
  );
}

/** Without blanks and comments. Undefined if anything else stands in the text. */
function tokensOf(text: string): string[] | undefined {
  if (text.length > longestText) return undefined;
  const tokens: string[] = [];
  for (let at = 0; at < text.length; ) {
    const found = [blank, literal, nameOrSign].map((pattern) => {
      pattern.lastIndex = at;
      return pattern.exec(text)?.[0];
    });
    const [skipped, written, token] = found;
    if (skipped === undefined && written === undefined && token === undefined) return undefined;
    if (skipped === undefined) tokens.push(written === undefined ? (token ?? '') : value);
    at += (skipped ?? written ?? token ?? '').length;
  }
  return tokens;
}

/** A name that is no alias, directive or fragment. */
function isField(tokens: readonly string[], at: number): boolean {
  return isName(tokens[at]) && tokens[at + 1] !== ':' && !['@', '...', 'on'].includes(tokens[at - 1] ?? '');
}

const documentKeys = ['query', 'mutation', 'document', '0'];

/** The document that a call or the body of a request sends. */
export function graphqlIn(args: Arguments): GraphqlDocument | undefined {
  const sent: Arguments = isRecord(args['body']) ? args['body'] : args;
  for (const key of documentKeys) {
    const text = sent[key];
    const document = typeof text === 'string' ? readGraphql(text) : undefined;
    if (document) return document;
  }
  return undefined;
}

/** A document without comments, with only those literals that may be shown. Enum values and variables are names. */
export function shapeOfGraphql(text: string, mayShow: (value: string) => boolean): string | undefined {
  if (!readGraphql(text)) return undefined;
  return text.replace(new RegExp(`${literal.source}|\\n?[ \\t]{0,80}#[^\\n]*`, 'g'), (written) => {
    if (!'"-0123456789'.includes(written.charAt(0))) return '';
    const content = written.replace(/^"+|"+$/g, '');
    if (content === '' || mayShow(content)) return written;
    return written.startsWith('"') ? '"…"' : '…';
  });
}
