import type { Span } from './secret-kinds.js';
import { isRandom } from './secret-values.js';
import { tokenAt } from './token-shapes.js';

/** What stands between the name of a header and its value, in requests, JSON and code. */
const separator = /\\{0,7}["'`]?\]?[ \t]{0,8}(?:=>|[:=,])[ \t]{0,8}\\{0,7}["'`]?/y;
const word = /[^\s"'`,;\\<>]{1,4096}/y;
const parameters = /[A-Za-z_-]{2,32}=[^\r\n]{1,2048}/y;

/** Reads on from `at`, if the pattern matches there. */
function after(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

/** The credentials of an `Authorization` header, whatever its scheme. */
export function credentialsOfHeader(text: string, nameEnd: number): Span | undefined {
  const start = after(separator, text, nameEnd);
  if (start === undefined) return undefined;
  const firstEnd = after(word, text, start);
  if (firstEnd === undefined) return undefined;
  const space = text.charCodeAt(firstEnd);
  if (space !== 32 && space !== 9) return credentials(text, start, firstEnd, '');
  const scheme = text.slice(start, firstEnd).toLowerCase();
  const from = firstEnd + 1;
  if (!/^[a-z][\w-]{1,31}$/.test(scheme)) return credentials(text, start, firstEnd, '');
  const to = after(word, text, from);
  if (to === undefined) return undefined;
  const end = after(parameters, text, from);
  if (end !== undefined && text.slice(from, end).includes(',')) {
    return { from, to: lineEnd(text, from, end), kind: 'bearer_token' };
  }
  return credentials(text, from, to, scheme);
}

/** A header in quotes ends with them; parameters have quotes of their own. */
function lineEnd(text: string, from: number, end: number): number {
  const quotes = text.slice(from, end).match(/["']/g)?.length ?? 0;
  return quotes % 2 === 1
    ? from + Math.max(text.slice(from, end).lastIndexOf('"'), text.slice(from, end).lastIndexOf("'"))
    : end;
}

function credentials(text: string, from: number, to: number, scheme: string): Span | undefined {
  const value = text.slice(from, to);
  if (/^[$%<{[*]/.test(value)) return undefined;
  if (scheme === 'basic') return isBasic(value) ? { from, to, kind: 'basic_credentials' } : undefined;
  const isSecret = value.length >= 8 && /\d/.test(value) && /[A-Za-z]/.test(value) && !/^[a-z]+-?\d{1,4}$/i.test(value);
  return isSecret ? (tokenAt(text, from) ?? { from, to, kind: 'bearer_token' }) : undefined;
}

const schemeValue = /[ \t]{1,16}[A-Za-z0-9._~+/=-]{8,}/y;

/** `Bearer …` and `Basic …`, wherever they stand. */
export function credentialsAfterScheme(text: string, schemeEnd: number, scheme: string): Span | undefined {
  const to = after(schemeValue, text, schemeEnd);
  if (to === undefined) return undefined;
  let from = schemeEnd;
  while (text.charCodeAt(from) === 32 || text.charCodeAt(from) === 9) from += 1;
  const value = text.slice(from, Math.min(to, from + 4096));
  if (scheme === 'basic') return isBasic(value) ? { from, to, kind: 'basic_credentials' } : undefined;
  const isSecret = value.length >= 16 && /\d/.test(value) && /[A-Za-z]/.test(value);
  return isSecret ? (tokenAt(text, from) ?? { from, to, kind: 'bearer_token' }) : undefined;
}

/** Base64 of `user:password`, and not just a word after "basic". */
function isBasic(value: string): boolean {
  if (value.length < 8) return false;
  return /^[\x20-\x7e]*:[\x20-\x7e]*$/.test(Buffer.from(value.slice(0, 512), 'base64').toString('latin1'));
}

/** The argument of SASL's `AUTH PLAIN`: base64 of a user and a password between zero bytes. */
export function saslCredentials(text: string, plainEnd: number): Span | undefined {
  if (!/AUTH[ =]PLAIN$/.test(text.slice(Math.max(0, plainEnd - 10), plainEnd))) return undefined;
  const to = after(schemeValue, text, plainEnd);
  if (to === undefined) return undefined;
  const isSecret = Buffer.from(text.slice(plainEnd + 1, Math.min(to, plainEnd + 512)), 'base64').includes(0);
  return isSecret ? { from: plainEnd + 1, to, kind: 'basic_credentials' } : undefined;
}

const cookie = /[ \t]*([\w.%-]{1,64})=([^;\s"'`\\,<>]{1,4096})(;?)/y;
const mostCookies = 50;
/** Names of cookies that hold the session. */
const sessionName = /sess|sid$|auth|token|jwt|login|remember|csrf|xsrf/i;

/** The cookies of a `Cookie` or `Set-Cookie` header that tell who somebody is. */
export function secretCookies(text: string, nameEnd: number, isSet: boolean): Span[] {
  const start = after(separator, text, nameEnd);
  return start === undefined ? [] : cookiesAt(text, start, isSet ? 1 : mostCookies);
}

export function cookiesAt(text: string, start: number, most = mostCookies): Span[] {
  const found: Span[] = [];
  cookie.lastIndex = start;
  for (let count = 0; count < most; count += 1) {
    const match = cookie.exec(text);
    if (!match) break;
    const [whole, name = '', value = '', next] = match;
    const to = match.index + whole.length - (next ?? '').length;
    if (isSecretCookie(name, value)) found.push({ from: to - value.length, to, kind: 'cookie' });
    if (next === '') break;
  }
  return found;
}

function isSecretCookie(name: string, value: string): boolean {
  if (/^[$%<{[*]/.test(value)) return false;
  return sessionName.test(name)
    ? value.length >= 4 && !/^(?:true|false|null)$/.test(value)
    : value.length >= 16 && isRandom(value);
}
