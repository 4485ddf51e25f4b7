import { isUtf8 } from 'node:buffer';

import { type Problem, problem } from '@whetstone/contracts';

import { findJsonError } from './json-error.js';
import { loneSurrogates } from './lone-surrogates.js';
import { invalid } from './refusal.js';

/** Deeper JSON is refused: whoever writes it again or walks through it must not run out of stack. */
export const maxDepth = 500;

/** An escaped half of a pair; most bodies have none, and are not searched for those that are alone. */
const escapedSurrogate = /\\u[dD][89a-fA-F]/;

export interface ReadJson {
  value: unknown;
  /** Where the value holds text that is not valid Unicode. They are told together with what the schema finds wrong. */
  problems: Problem[];
}

/** The JSON in a body, or a Refusal with 422. */
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

/** Some editors and libraries begin UTF-8 with a byte order mark. */
function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** Where brackets nest too deep. Parsing that first and looking afterwards would take seconds for a hostile body. */
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

/** The place of the quote that closes the string opened at `start`; the end of the body where there is none. */
function endOfString(body: Buffer, start: number): number {
  for (let at = body.indexOf(0x22, start + 1); at >= 0; at = body.indexOf(0x22, at + 1)) {
    let escapes = 0;
    while (body[at - 1 - escapes] === 0x5c) escapes += 1;
    if (escapes % 2 === 0) return at;
  }
  return body.length;
}
