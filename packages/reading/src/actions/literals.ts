import type { Arguments, Literal } from './action.js';

/** A call as a value: `datetime(2024, 1, 2)`, also when spelled out in JSON. */
export type CallLiteral = { call: string; args: Arguments };

export interface FoundLiteral {
  value: Literal;
  /** Index after it. */
  end: number;
}

/** Deeper nesting is an attack, not data. */
export const deepest = 200;

const number = /[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?/y;
const name = /[\p{L}_$][\p{L}\p{N}_$]*(?:[.-][\p{L}_$][\p{L}\p{N}_$]*)*/uy;
/** `<Status.OPEN: 'open'>`: Python's repr of objects without a literal. */
const opaque = /<[A-Za-z_][^<>\n]{0,200}>/y;
const escaped = /\\(?:u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|U([\da-fA-F]{8})|x([\da-fA-F]{2})|([\s\S]))/g;

const words = new Map<string, Literal>(
  Object.entries({ true: true, True: true, false: false, False: false, null: null, None: null, undefined: null }),
);
/** Escape sequences; before any other letter the backslash stays. */
const escapes = new Map([...'\\"\'`/'].map((letter) => [letter, letter]));
for (const [letter = '', meant = ''] of ['n\n', 't\t', 'r\r', 'b\b', 'f\f', '\n']) escapes.set(letter, meant);

/** Parses a JSON, Python or JavaScript literal, or a call of these. A bare word is none. */
export function readLiteral(text: string): Literal | undefined {
  const found = literalAt(text, 0);
  return found && isBlank(text, found.end) ? found.value : undefined;
}

/** Parses the literal at an index, ignoring what follows. */
export function literalAt(text: string, from: number): FoundLiteral | undefined {
  return new LiteralParser(text, from).readAlone();
}

/** Parses as much as there is of a truncated literal. */
export function readCutLiteral(text: string): Literal | undefined {
  const found = new LiteralParser(text, 0, true).readAlone();
  return found && isBlank(text, found.end) ? found.value : undefined;
}

/** `content='' tool_calls=[…]`: Python's repr of fields. */
export function readPairs(text: string): Arguments | undefined {
  return new LiteralParser(text, 0).readPairs();
}

/** Whether brackets are nested too deep. Counts those in strings too: only called after parsing failed. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const letter = text.charCodeAt(at);
    if (letter === 0x5b || letter === 0x7b || letter === 0x28) depth++;
    else if (letter === 0x5d || letter === 0x7d || letter === 0x29) depth--;
    if (depth > deepest) return true;
  }
  return false;
}

export function writeLiteral(value: Literal): string {
  return JSON.stringify(value);
}

export function writeForm(form: Literal): string {
  if (!isCallLiteral(form)) return writeLiteral(form);
  const args = Object.entries(form.args).map(([name, value]) =>
    Number.isInteger(Number(name)) ? writeForm(value) : `${name}=${writeForm(value)}`,
  );
  return `${form.call}(${args.join(', ')})`;
}

export function isRecord(value: Literal | undefined): value is Arguments {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isCallLiteral(value: Literal | undefined): value is CallLiteral {
  if (!isRecord(value)) return false;
  return typeof value['call'] === 'string' && isRecord(value['args']) && Object.keys(value).length === 2;
}

/** Parses an object or list given as a string; returns anything else unchanged. */
export function opened(value: Literal): Literal {
  const isWritten = typeof value === 'string' && '[{'.includes(value.trimStart().charAt(0) || ' ');
  return isWritten ? (readLiteral(value) ?? value) : value;
}

/** Arguments of a call: named, positional, or as one text. */
export function argumentsOf(given: Literal): Arguments {
  const value = opened(given);
  if (isRecord(value) && !isCallLiteral(value)) return value;
  if (value === null || value === '') return {};
  return Array.isArray(value) ? Object.fromEntries(value.entries()) : { 0: value };
}

function isBlank(text: string, from: number): boolean {
  const end = skipSpace(text, from);
  return end === text.length || (text[end] === ';' && skipSpace(text, end + 1) === text.length);
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && (text.charAt(at).trim() === '' || text[at] === '\u200b')) at++;
  return at;
}

type Pair = [name: string, value: Literal];

/** Recursive descent. Every method leaves `at` after what it consumed, and returns undefined if nothing matches. */
class LiteralParser {
  readonly #text: string;
  readonly #isCut: boolean;
  #at: number;
  #depth = 0;

  constructor(text: string, at: number, isCut = false) {
    this.#text = text;
    this.#at = at;
    this.#isCut = isCut;
  }

  readAlone(): FoundLiteral | undefined {
    const value = this.#value();
    if (value === undefined) return undefined;
    // An unterminated string is a name, and a bare name is no literal.
    if (typeof value === 'string' && !this.#isCut && !isQuote(this.#text.charAt(this.#at - 1))) return undefined;
    return { value, end: this.#at };
  }

  readPairs(): Arguments | undefined {
    const pairs: Pair[] = [];
    for (this.#skip(); this.#at < this.#text.length; this.#skip()) {
      const key = this.#keyword('=');
      const value = key === undefined ? undefined : this.#value();
      if (key === undefined || value === undefined) return undefined;
      pairs.push([key, value]);
      this.#take(',');
    }
    return pairs.length > 1 ? Object.fromEntries(pairs) : undefined;
  }

  #value(): Literal | undefined {
    if (this.#depth >= deepest) return undefined;
    this.#depth++;
    this.#skip();
    const value = this.#isOver() ? null : this.#bareValue();
    this.#depth--;
    return value;
  }

  #bareValue(): Literal | undefined {
    const letter = this.#text.charAt(this.#at);
    if (letter === '{') return this.#braces();
    if (letter === '[') return this.#list(']', () => this.#value());
    if (letter === '(') return this.#parentheses();
    if (isQuote(letter)) return this.#strings();
    const digits = this.#match(number);
    if (digits !== undefined) return this.#match(name) === undefined ? numberOf(digits) : undefined;
    return this.#match(opaque) ?? this.#named();
  }

  #named(): Literal | undefined {
    let word = this.#match(name);
    if (word === 'await' || word === 'new') {
      this.#skip();
      word = this.#match(name);
    }
    if (word === undefined) return undefined;
    const next = this.#text.charAt(this.#at);
    if (next === '(') return this.#call(word);
    const prefix = word.toLowerCase();
    if ((next === '"' || next === "'") && prefix.length <= 2 && [...prefix].every((letter) => 'rbfu'.includes(letter)))
      return this.#strings(prefix.includes('r'));
    return words.has(word) ? words.get(word) : word;
  }

  #call(called: string): Literal | undefined {
    let place = 0;
    const args = this.#list(')', (): Pair | undefined => {
      const keyword = this.#keyword('=') ?? this.#keyword(':');
      const value = this.#value();
      return value === undefined ? undefined : [keyword ?? String(place++), value];
    });
    return args && { call: called, args: Object.fromEntries(args) };
  }

  /** A dictionary or object; without colons, a set. */
  #braces(): Literal | undefined {
    const start = this.#at;
    const entries = this.#list('}', (): Pair[] | undefined => {
      this.#skip();
      const key = isQuote(this.#text.charAt(this.#at)) ? this.#strings() : (this.#match(number) ?? this.#match(name));
      const value = key !== undefined && this.#take(':') ? this.#value() : undefined;
      if (key === undefined || value === undefined) return this.#isOver() ? [] : undefined;
      return [[key, value]];
    });
    if (entries) return Object.fromEntries(entries.flat());
    this.#at = start;
    return this.#list('}', () => this.#value());
  }

  #parentheses(): Literal | undefined {
    const items = this.#list(')', () => this.#value());
    const inside = this.#text.slice(Math.max(0, this.#at - 9), this.#at - 1);
    return items?.length === 1 && !inside.trimEnd().endsWith(',') ? items[0] : items;
  }

  /** Comma-separated items up to the closing bracket. */
  #list<Item>(close: string, read: () => Item | undefined): Item[] | undefined {
    this.#at++;
    const items: Item[] = [];
    for (this.#skip(); !this.#take(close) && !this.#isOver(); this.#skip()) {
      const item = read();
      if (item === undefined) return undefined;
      items.push(item);
      if (!this.#take(',') && this.#text[this.#at] !== close && !this.#isOver()) return undefined;
    }
    return items;
  }

  /** Adjacent strings are concatenated, as in Python. */
  #strings(isRaw = false): string | undefined {
    const parts: string[] = [];
    for (let raw = isRaw; ; raw = false) {
      const part = this.#string(raw);
      if (part === undefined) return undefined;
      parts.push(part);
      const next = skipSpace(this.#text, this.#at);
      if (this.#text[next] !== '"' && this.#text[next] !== "'") return parts.join('');
      this.#at = next;
    }
  }

  #string(isRaw: boolean): string | undefined {
    const text = this.#text;
    const quote = text.charAt(this.#at);
    const mark = text.startsWith(quote.repeat(3), this.#at) && quote !== '`' ? quote.repeat(3) : quote;
    const start = this.#at + mark.length;
    let end = start;
    while (end < text.length && !(text.charAt(end) === quote && text.startsWith(mark, end))) {
      end += text.charAt(end) === '\\' ? 2 : 1;
    }
    if (end >= text.length && !this.#isCut) return undefined;
    const inside = text.slice(start, end);
    this.#at = Math.min(end + mark.length, text.length);
    return isRaw || !inside.includes('\\') ? inside : inside.replace(escaped, unescaped);
  }

  /** A name and its sign, `a=`. Consumes nothing if the sign is missing. */
  #keyword(sign: string): string | undefined {
    this.#skip();
    const start = this.#at;
    const found = this.#match(name);
    if (found !== undefined && this.#take(sign) && this.#text[this.#at] !== '=') return found;
    this.#at = start;
    return undefined;
  }

  #take(sign: string): boolean {
    this.#skip();
    if (this.#text.charAt(this.#at) !== sign) return false;
    this.#at++;
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #isOver(): boolean {
    return this.#isCut && this.#at >= this.#text.length;
  }

  #skip(): void {
    this.#at = skipSpace(this.#text, this.#at);
  }
}

function isQuote(letter: string): boolean {
  return letter === '"' || letter === "'" || letter === '`';
}

/** Keeps long numeric ids as text: as numbers they would lose precision. */
function numberOf(digits: string): Literal {
  const value = Number(digits);
  return /^\d+$/.test(digits) && String(value) !== digits ? digits : value;
}

function unescaped(whole: string, braced?: string, four?: string, eight?: string, two?: string, letter = ''): string {
  const code = braced ?? four ?? eight ?? two;
  if (code === undefined) return escapes.get(letter) ?? whole;
  const point = Number.parseInt(code, 16);
  return point > 0x10ffff ? whole : String.fromCodePoint(point);
}
