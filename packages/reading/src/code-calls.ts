export interface CodeCall {
  /** With its dots: `os.path.join`; only the part behind the last bracket where it is called on a result. */
  name: string;
  /** The literal strings that its arguments begin with. */
  strings: string[];
  /** Whether these stand in a list. */
  isList: boolean;
  /** The beginning of its arguments, as they are written. */
  given: string;
}

export const longestCode = 200_000;
const longestName = 100;
const longestGiven = 1_000;
const mostStrings = 60;
const mostCalls = 5_000;
/** Called without brackets in Perl and Ruby. */
const bareCalls = new Set(['system', 'exec', 'unlink', 'rmtree', 'rmdir']);

/** The calls in a script of Python, JavaScript and their like, without those in comments and in strings. */
export function callsIn(code: string): CodeCall[] {
  const text = code.slice(0, longestCode);
  const calls: CodeCall[] = [];
  let at = 0;
  while (at < text.length && calls.length < mostCalls) {
    const char = text[at] as string;
    if (isQuote(char)) at = endOfString(text, at);
    else if (isComment(text, at)) at = endOfLine(text, at);
    else if (char === '(') {
      const name = nameBefore(text, at);
      if (name !== '') calls.push(readCall(name, text, at + 1));
      at += 1;
    } else if (/[A-Za-z_$]/.test(char)) {
      const end = endOfWord(text, at);
      const next = text.slice(end, end + 3);
      if (bareCalls.has(text.slice(at, end)) && /^ ["'`$@]/.test(next))
        calls.push(readCall(text.slice(at, end), text, end + 1));
      at = end;
    } else at += 1;
  }
  return calls;
}

function isQuote(char: string): boolean {
  return char === '"' || char === "'" || char === '`';
}

/** `#` behind a blank, `//` at the beginning of a line: elsewhere both are operators somewhere. */
function isComment(text: string, at: number): boolean {
  const before = text[at - 1] ?? '\n';
  if (text[at] === '#') return /\s/.test(before);
  return (
    text.startsWith('//', at) &&
    /^[ \t]{0,200}$/.test(text.slice(Math.max(0, text.lastIndexOf('\n', at - 1) + 1, at - 200), at))
  );
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

function endOfWord(text: string, from: number): number {
  let at = from;
  while (at < text.length && /[\w$]/.test(text[at] as string)) at += 1;
  return at;
}

/** Behind the closing quote; a string in plain quotes ends with its line. */
function endOfString(text: string, at: number): number {
  const quote = text[at] as string;
  const triple = quote.repeat(3);
  if (quote !== '`' && text.startsWith(triple, at)) {
    const end = text.indexOf(triple, at + 3);
    return end < 0 ? text.length : end + 3;
  }
  for (let place = at + 1; place < text.length; place++) {
    const char = text[place];
    if (char === '\\') place += 1;
    else if (char === quote) return place + 1;
    else if (char === '\n' && quote !== '`') return place;
  }
  return text.length;
}

function nameBefore(text: string, bracket: number): string {
  let start = bracket;
  const end = bracket;
  while (start > 0 && bracket - start < longestName && /[\w$.]/.test(text[start - 1] as string)) start -= 1;
  return text.slice(start, end).replace(/^\.+/, '');
}

function readCall(name: string, text: string, start: number): CodeCall {
  const given = text.slice(start, start + longestGiven);
  const strings: string[] = [];
  let isList = false;
  let at = 0;
  while (at < given.length && strings.length < mostStrings) {
    const char = given[at] as string;
    if (/[\s,]/.test(char)) at += 1;
    else if (char === '[') {
      isList = true;
      at += 1;
    } else if (isQuote(char) || /^[rRbBfFuU]{1,2}["']/.test(given.slice(at, at + 3))) {
      const quote = isQuote(char) ? at : at + (isQuote(given[at + 1] ?? '') ? 1 : 2);
      const end = endOfString(given, quote);
      strings.push(contentOf(given.slice(quote, end), given.slice(at, quote)));
      at = end;
    } else break;
  }
  return { name, strings, isList, given: given.slice(0, endOfArguments(given)) };
}

/** Up to the bracket that closes the call, as far as it was read. */
function endOfArguments(given: string): number {
  let depth = 0;
  for (let at = 0; at < given.length; at++) {
    const char = given[at] as string;
    if (isQuote(char)) at = endOfString(given, at) - 1;
    else if (char === '(') depth += 1;
    else if (char === ')') {
      depth -= 1;
      if (depth < 0) return at;
    }
  }
  return given.length;
}

/** A string without its quotes; what is put into it when it runs becomes a variable. */
function contentOf(quoted: string, prefix: string): string {
  const width = /^(?:"""|''')/.test(quoted) ? 3 : 1;
  const content = quoted.slice(width, -width).replace(/\\(["'\\])/g, '$1');
  if (quoted.startsWith('`')) return content.replace(/\$\{[^{}]{0,200}\}/g, '$value');
  return /[fF]/.test(prefix) ? content.replace(/\{[^{}]{0,200}\}/g, '$value') : content;
}
