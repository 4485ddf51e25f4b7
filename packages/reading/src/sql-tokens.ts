/** `word`: a keyword or a bare name; `name`: a quoted one; `string`: its content without quotes. */
export interface SqlToken {
  kind: 'word' | 'name' | 'string' | 'number' | 'operator';
  text: string;
}

const longestText = 200_000;
const closing: Record<string, string> = { '"': '"', '`': '`', '[': ']' };
const operators = [
  '<=>',
  '->>',
  '||',
  '<=',
  '>=',
  '<>',
  '!=',
  '::',
  ':=',
  '->',
  '==',
  '=~',
  '!~',
  '~*',
  '@>',
  '<@',
  '@@',
];

/** The tokens of a text without its comments, or undefined where something in it is never closed. */
export function tokenizeSql(text: string): SqlToken[] | undefined {
  if (text.length > longestText) return undefined;
  const tokens: SqlToken[] = [];
  let at = 0;
  while (at < text.length) {
    const char = text[at] as string;
    const space = /\s/.test(char);
    const end = space ? at + 1 : endOfComment(text, at);
    if (end === undefined) return undefined;
    if (end > at) {
      at = end;
      continue;
    }
    const read = readQuoted(text, at) ?? readPlain(text, at);
    if (read === undefined || read.end <= at) return undefined;
    tokens.push(read.token);
    at = read.end;
  }
  return tokens;
}

/** Where the comment that begins here ends; here where none begins; undefined where it is never closed. */
function endOfComment(text: string, at: number): number | undefined {
  if (text.startsWith('--', at)) {
    const newline = text.indexOf('\n', at);
    return newline < 0 ? text.length : newline + 1;
  }
  if (!text.startsWith('/*', at)) return at;
  const end = text.indexOf('*/', at + 2);
  return end < 0 ? undefined : end + 2;
}

interface Read {
  token: SqlToken;
  end: number;
}

/** A string or a quoted name; `[` right behind a name is an index. */
function readQuoted(text: string, at: number): Read | undefined {
  const char = text[at] as string;
  if (char === "'") return closed(text, at + 1, "'", false, 'string');
  const escaped = /^[eE]'/.test(text.slice(at, at + 2));
  if (escaped || /^[nNxXbB]'/.test(text.slice(at, at + 2))) return closed(text, at + 2, "'", escaped, 'string');
  const dollars = char === '$' ? /^\$(?:[A-Za-z_]\w{0,60})?\$/.exec(text.slice(at, at + 64))?.[0] : undefined;
  if (dollars !== undefined) {
    const end = text.indexOf(dollars, at + dollars.length);
    if (end < 0) return { token: { kind: 'operator', text: '' }, end: at };
    return { token: { kind: 'string', text: text.slice(at + dollars.length, end) }, end: end + dollars.length };
  }
  const close = closing[char];
  if (close === undefined || (char === '[' && /[\w"`\])]/.test(text[at - 1] ?? ''))) return undefined;
  return closed(text, at + 1, close, false, 'name');
}

/** Reads up to the closing quote; a doubled one is part of the text. Nothing is read where it never comes. */
function closed(text: string, start: number, quote: string, backslashes: boolean, kind: SqlToken['kind']): Read {
  let content = '';
  let from = start;
  for (let at = start; at < text.length; at++) {
    if (backslashes && text[at] === '\\') at += 1;
    else if (text[at] === quote && text[at + 1] === quote) {
      content += text.slice(from, at + 1);
      from = at + 2;
      at += 1;
    } else if (text[at] === quote) return { token: { kind, text: content + text.slice(from, at) }, end: at + 1 };
  }
  return { token: { kind, text: '' }, end: 0 };
}

const wordPattern = /[\p{L}_@#$:?%][\p{L}\p{N}_@#$]*/uy;
const numberPattern = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;

function readPlain(text: string, at: number): Read | undefined {
  for (const symbol of operators) {
    if (text.startsWith(symbol, at)) return { token: { kind: 'operator', text: symbol }, end: at + symbol.length };
  }
  numberPattern.lastIndex = at;
  const number = numberPattern.exec(text)?.[0];
  if (number !== undefined) return { token: { kind: 'number', text: number }, end: at + number.length };
  wordPattern.lastIndex = at;
  const word = wordPattern.exec(text)?.[0];
  // A lone mark is a parameter (`?`) or an operator (`%`), `:name` and `@name` are words.
  if (word !== undefined && (word.length > 1 || /[\p{L}_]/u.test(word)))
    return { token: { kind: 'word', text: word }, end: at + word.length };
  return '()+-*/%,.;<>=!~&|^?[]{}:@#$\\'.includes(text[at] as string)
    ? { token: { kind: 'operator', text: text[at] as string }, end: at + 1 }
    : undefined;
}
