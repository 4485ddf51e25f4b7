import type { Span } from './secret-kinds.js';
import { isRandom } from './secret-values.js';

const longestUserInfo = 512;
/** Signs that end every address. */
const isEnd = new Uint8Array(65_536);
for (const letter of ' \t\r\n"\'`<>\\,;|(){}[]') isEnd[letter.charCodeAt(0)] = 1;
isEnd.fill(1, 0x2e80);

const reference = /^(?:[$%<{[*]|\[?REDACTED|x{3,}$|pass(?:word)?$|pwd?$|secret$|token$|your)/i;

/** The password between `://` (at `colon`) and `@`. Passwords of databases may contain slashes and at-signs themselves. */
export function passwordInUrl(text: string, colon: number): Span | undefined {
  const start = colon + 3;
  const isWeb = /(?:https?|wss?|git|ssh)$/.test(text.slice(Math.max(0, colon - 5), colon));
  const limit = Math.min(text.length, start + longestUserInfo);
  let separator = -1;
  let end = -1;
  for (let at = start; at < limit; at += 1) {
    const code = text.charCodeAt(at);
    if (isEnd[code] === 1) break;
    // `/`, `?` and `#` end the part with the password, if it is written as it should be.
    if ((code === 47 && (isWeb || text.charCodeAt(at + 1) === 47)) || ((code === 63 || code === 35) && end >= 0)) break;
    if (code === 58 && separator < 0) separator = at;
    if (code === 64) end = at;
  }
  if (end < 0) return undefined;
  const from = separator >= 0 && separator < end ? separator + 1 : start;
  const value = text.slice(from, end);
  if (value === '' || reference.test(value)) return undefined;
  if (from === start && !(value.length >= 16 && isRandom(value))) return undefined;
  return { from, to: end, kind: 'url_password' };
}

/** `bob:hunter2@host.example`, as proxies are given. The at-sign is at `at`. */
export function passwordBeforeHost(text: string, at: number): Span | undefined {
  let from = at;
  while (from > at - 40 && isPasswordLetter[text.charCodeAt(from - 1)] === 1) from -= 1;
  if (at - from < 5 || text.charCodeAt(from - 1) !== 58) return undefined;
  const value = text.slice(from, at);
  if (!/[A-Za-z]/.test(value) || !/\d/.test(value)) return undefined;
  host.lastIndex = at + 1;
  if (!host.test(text) || !user.test(text.slice(Math.max(0, from - 34), from - 1))) return undefined;
  return { from, to: at, kind: 'url_password' };
}

const isPasswordLetter = new Uint8Array(65_536);
for (let code = 33; code < 127; code += 1)
  if (!/[:@"'/\\,;$<{]/.test(String.fromCharCode(code))) isPasswordLetter[code] = 1;
const host =
  /(?:[a-z][\w-]*(?:\.[\w-]+)*\.[a-z]{2,12}|\d{1,3}(?:\.\d{1,3}){3}|localhost|(?:tcp|unix)(?=\())(?![\w.])/iy;
const user = /(?:^|[\s"'=/])[\w.-]{1,32}$/;

/** What stands between `/`, `?`, `=` and `&` after a word with `hook` in it, to the end of the address. */
const rest = /(?:\.[\w.-]{1,100})?(?:[/?&=][^\s"'`<>\\/?&=,;)\]}]{1,200}){1,12}/y;
const longestRest = 600;

/** The secret parts of the address of a webhook: whoever knows it may post. */
export function secretsOfWebhook(text: string, wordEnd: number): { secrets: Span[]; readTo: number } {
  const next = text.charCodeAt(wordEnd);
  rest.lastIndex = wordEnd;
  if ((next !== 47 && next !== 46 && next !== 63) || !rest.test(text)) return { secrets: [], readTo: wordEnd };
  const to = Math.min(rest.lastIndex, wordEnd + longestRest);
  const secrets: Span[] = [];
  // The rest of the name of the host is no part.
  let from = next === 46 ? to : wordEnd + 1;
  for (let at = wordEnd; at <= to; at += 1) {
    if (at < to && isSeparator[text.charCodeAt(at)] !== 1) continue;
    if (at - from >= shortestPart && isSecretPart(text.slice(from, at), at === to)) {
      secrets.push({ from, to: at, kind: 'webhook' });
    }
    from = at + 1;
  }
  return { secrets, readTo: to };
}

const shortestPart = 6;
const isSeparator = new Uint8Array(65_536);
for (const letter of '/?&=') isSeparator[letter.charCodeAt(0)] = 1;

/** The last part may be short; then it must not look like a word with a number. */
function isSecretPart(part: string, isLast: boolean): boolean {
  if (!/\d/.test(part)) return false;
  if (part.length >= 16) return /[A-Za-z]/.test(part) && !/^[$<{[]/.test(part);
  return isLast && /^[A-Za-z0-9]+$/.test(part) && /\d.*[a-z]|\d\D+\d/i.test(part);
}
