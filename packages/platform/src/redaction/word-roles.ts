import { programs } from './commands.js';
import { lastWords } from './secret-names.js';
import { dottedPrefixes } from './token-shapes.js';

/** A word that begins something to be read in its own way. */
export interface Role {
  word: string;
  part:
    | 'program'
    | 'scheme'
    | 'authorization'
    | 'cookie'
    | 'sasl'
    | 'webhook'
    | 'token'
    | 'pair'
    | 'connection'
    | 'sql'
    | 'openssl'
    | 'pem'
    | 'putty'
    | 'data';
  /** Also as the last part of a longer name, as in `Proxy-Authorization`. */
  isPart: boolean;
}

const roles: readonly Role[] = [
  ...rows('program', [...programs.keys()], false),
  ...rows('scheme', ['bearer', 'basic'], false),
  ...rows('authorization', ['authorization'], true),
  ...rows('cookie', ['cookie', 'cookies'], true),
  ...rows('sasl', ['plain'], false),
  ...rows('webhook', ['hook', 'hooks', 'webhook', 'webhooks', 'webhookb2'], true),
  ...rows('token', dottedPrefixes, false),
  ...rows('pair', ['login', 'basicauth', 'httpbasicauth'], true),
  ...rows('connection', ['connect', 'getconnection', 'mysqli', 'pdo'], true),
  ...rows('sql', ['identified'], false),
  ...rows('openssl', ['pass'], false),
  ...rows('pem', ['begin'], true),
  ...rows('putty', ['private-lines'], false),
  ...rows('data', ['data', 'stringdata'], false),
];

function rows(part: Role['part'], words: readonly string[], isPart: boolean): Role[] {
  return words.map((word) => ({ word: word.toLowerCase(), part, isPart }));
}

/** The last four letters of a word, whatever their case, as a number of twenty bits. */
function endingOf(fourth: number, third: number, second: number, last: number): number {
  return ((fourth & 31) << 15) | ((third & 31) << 10) | ((second & 31) << 5) | (last & 31);
}

const rolesByEnding = new Map<number, Role[]>();
/** A bit for each ending. */
const tellingEndings = new Uint8Array(2 ** 17);
for (const role of roles) {
  for (const ending of endingsOf(role.word)) {
    const known = rolesByEnding.get(ending);
    if (known) known.push(role);
    else rolesByEnding.set(ending, [role]);
    markTelling(ending);
  }
}
for (const word of lastWords) for (const ending of endingsOf(word)) markTelling(ending);

function markTelling(ending: number): void {
  tellingEndings[ending >> 3] = bitsAt(ending) | (1 << (ending & 7));
}

function bitsAt(ending: number): number {
  return tellingEndings[ending >> 3] as number;
}

/** Those of a word without the digits at its end. Before a short word, anything may stand. */
function endingsOf(word: string): number[] {
  const [last = 0, second, third, fourth] = [...word.replace(/\d+$/, '')]
    .reverse()
    .map((letter) => letter.charCodeAt(0));
  const any = Array.from({ length: 32 }, (_, code) => code);
  return (second === undefined ? any : [second]).flatMap((b) =>
    (third === undefined ? any : [third]).flatMap((c) =>
      (fourth === undefined ? any : [fourth]).map((d) => endingOf(d, c, b, last)),
    ),
  );
}

/** The ending of the word without the number after it, if it has one. */
function endingAt(codes: Uint16Array, start: number, end: number): number {
  let stem = end;
  let last = codes[stem - 1] as number;
  if (isDigit(last)) {
    while (stem > start + 1 && isDigit(last)) {
      stem -= 1;
      last = codes[stem - 1] as number;
    }
    if (last === 95 && stem > start + 1) {
      stem -= 1;
      last = codes[stem - 1] as number;
    }
  }
  if (stem < 4)
    return endingOf(0, stem < 3 ? 0 : (codes[0] as number), stem < 2 ? 0 : (codes[stem - 2] as number), last);
  return endingOf(codes[stem - 4] as number, codes[stem - 3] as number, codes[stem - 2] as number, last);
}

/** Whether the word that ends here may name a secret or have a role. Rules most words out by a single look. */
export function isTellingWord(codes: Uint16Array, start: number, end: number): boolean {
  const ending = endingAt(codes, start, end);
  return (bitsAt(ending) & (1 << (ending & 7))) !== 0;
}

export function roleOf(text: string, codes: Uint16Array, start: number, end: number): Role | undefined {
  const candidates = rolesByEnding.get(endingAt(codes, start, end));
  if (!candidates) return undefined;
  for (const role of candidates) {
    const from = end - role.word.length;
    if (role.isPart ? from < start : from !== start) continue;
    if (from > start && isLetter(text.charCodeAt(from - 1)) && !isHump(text, from)) continue;
    if (isSame(text, from, role.word)) return role;
  }
  return undefined;
}

/** `setBasicAuth`. */
function isHump(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  return text.charCodeAt(at) <= 90 && before >= 97 && before <= 122;
}

function isSame(text: string, from: number, word: string): boolean {
  for (let at = 0; at < word.length; at += 1) {
    const code = text.charCodeAt(from + at);
    if (code !== word.charCodeAt(at) && (code | 32) !== word.charCodeAt(at)) return false;
  }
  return true;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}
