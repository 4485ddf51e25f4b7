import { isUtf8 } from 'node:buffer';
import { maxProblems, type Problem, problem } from '@whetstone/contracts';
import { invalid } from '../refusals.js';

/** Deeper JSON is refused, so that later recursion cannot overflow the stack. */
export const maxDepth = 500;

/** An escaped half of a surrogate pair. Only bodies that have one are searched for lone surrogates. */
const escapedSurrogate = /\\u[dD][89a-fA-F]/;

interface ReadJson {
  value: unknown;
  /** Text that is not valid Unicode; reported together with what the schema finds. */
  problems: Problem[];
}

/** Parses the body, or throws a Refusal with 422. */
export function readJson(body: Buffer): ReadJson {
  if (body.length === 0) throw invalid([problem('missing', ['body'])]);
  if (!isUtf8(body)) throw invalid([problem('string_unicode', ['body'])]);
  const tooDeepAt = depthExceededAt(body);
  if (tooDeepAt !== undefined) throw invalid([problem('json_invalid', ['body', tooDeepAt])]);

  const text = withoutMark(body.toString('utf8'));
  const value = parse(text);
  return { value, problems: escapedSurrogate.test(text) ? loneSurrogates(value) : [] };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid([problem('json_invalid', ['body', findJsonError(text)])]);
  }
}

/** Some editors and libraries start UTF-8 with a byte order mark. */
function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** Where brackets nest too deeply. Parsing first would take seconds for a hostile body. */
function depthExceededAt(body: Buffer): number | undefined {
  if (body.length <= maxDepth) return undefined;
  let depth = 0;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at];
    if (byte === 0x22) {
      at = endOfString(body, at);
    } else if (byte === 0x5b || byte === 0x7b) {
      depth += 1;
      if (depth > maxDepth) return at;
    } else if (byte === 0x5d || byte === 0x7d) {
      depth -= 1;
    }
  }
  return undefined;
}

/** Index of the quote that closes the string opened at `start`, or the end of the body. */
function endOfString(body: Buffer, start: number): number {
  for (let at = body.indexOf(0x22, start + 1); at >= 0; at = body.indexOf(0x22, at + 1)) {
    let escapes = 0;
    while (body[at - 1 - escapes] === 0x5c) escapes += 1;
    if (escapes % 2 === 0) return at;
  }
  return body.length;
}

const literals = ['true', 'false', 'null'];
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const blanks = /[ \t\r\n]*/y;

/** Index at which a text stops being JSON. V8's messages omit it for short texts and change between versions. */
export function findJsonError(text: string): number {
  // The open brackets, and what may come next.
  const open: ('{' | '[')[] = [];
  let at = skipBlanks(text, 0);
  let expects: 'value' | 'first' | 'key' | 'end' = 'value';
  for (;;) {
    const letter = text[at];
    if (expects === 'end') {
      const bracket = open.at(-1);
      if (bracket === undefined) return at;
      if (letter === ',') expects = bracket === '{' ? 'key' : 'value';
      else if (letter === (bracket === '{' ? '}' : ']')) open.pop();
      else return at;
      at = skipBlanks(text, at + 1);
    } else if (expects === 'first' && letter === (open.at(-1) === '{' ? '}' : ']')) {
      expects = 'end';
    } else if (expects === 'key' || (expects === 'first' && open.at(-1) === '{')) {
      const end = letter === '"' ? endOfText(text, at) : at;
      if (typeof end === 'object') return end.errorAt;
      const colon = skipBlanks(text, end);
      if (end === at || text[colon] !== ':') return end === at ? at : colon;
      at = skipBlanks(text, colon + 1);
      expects = 'value';
    } else if (letter === '{' || letter === '[') {
      open.push(letter);
      at = skipBlanks(text, at + 1);
      expects = 'first';
    } else {
      const end = endOfScalar(text, at);
      if (typeof end === 'object') return end.errorAt;
      at = skipBlanks(text, end);
      expects = 'end';
    }
  }
}

interface Broken {
  errorAt: number;
}

function skipBlanks(text: string, at: number): number {
  blanks.lastIndex = at;
  blanks.test(text);
  return blanks.lastIndex;
}

function endOfScalar(text: string, at: number): number | Broken {
  if (text[at] === '"') return endOfText(text, at);
  const literal = literals.find((one) => text.startsWith(one, at));
  if (literal) return at + literal.length;
  number.lastIndex = at;
  return number.test(text) ? number.lastIndex : { errorAt: at };
}

function endOfText(text: string, start: number): number | Broken {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (code < 0x20) return { errorAt: at };
    if (code === 0x5c) {
      const escaped = text[at + 1] ?? '';
      if (escaped === 'u' && /^[0-9a-fA-F]{4}$/.test(text.slice(at + 2, at + 6))) at += 5;
      else if (escaped !== '' && '"\\/bfnrt'.includes(escaped)) at += 1;
      else return { errorAt: at };
    }
  }
  return { errorAt: start };
}

const lone = /\p{Surrogate}/u;
const everyLone = /\p{Surrogate}/gu;

/** Finds lone surrogates in values and keys. Recursion is bounded by `maxDepth`. */
function loneSurrogates(body: unknown): Problem[] {
  const problems: Problem[] = [];
  const loc: (string | number)[] = ['body'];

  function visit(value: unknown): void {
    if (problems.length >= maxProblems) return;
    if (typeof value === 'string') check(value);
    else if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index += 1) visitAt(index, value[index]);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, field] of Object.entries(value)) visitAt(key, field);
    }
  }

  function visitAt(place: string | number, value: unknown): void {
    loc.push(typeof place === 'string' ? place.replace(everyLone, '\ufffd') : place);
    if (typeof place === 'string') check(place);
    visit(value);
    loc.pop();
  }

  function check(text: string): void {
    if (lone.test(text)) problems.push(problem('string_unicode', [...loc]));
  }

  visit(body);
  return problems;
}
