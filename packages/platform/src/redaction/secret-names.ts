import type { SecretKind } from './secret-kinds.js';

/** What a name says about its value. */
export interface SecretName {
  kind: Extract<SecretKind, 'password' | 'api_key' | 'token' | 'signature'>;
  /**
   * How much the name alone tells, and so how little the value has to: `surely` a secret whatever it looks like, `likely` one
   * that looks like a password or token, `perhaps` one that is long and random.
   */
  certainty: 'surely' | 'likely' | 'perhaps';
}

/** A word that names secrets when it is the last part of an identifier: of `DB_PASS`, `dbPass` and `smtp.pass` it is `pass`. */
interface NameWord extends SecretName {
  word: string;
  /** Names secrets also without a visible border before it, as in `pgpassword`. */
  isGlued: boolean;
}

const passwordWords = 'password passwords passwd passphrase passcode pwd psk requirepass masterauth rootpw bindpw';
/** In other languages: German, Spanish, Portuguese, Dutch, Swedish, Polish, Turkish, Russian, Chinese, Japanese, Korean. */
const foreignPasswordWords =
  'passwort kennwort contraseña contrasena senha wachtwoord lösenord hasło haslo şifre пароль 密码 密碼 口令 パスワード 비밀번호';

const words: readonly NameWord[] = [
  ...rows(passwordWords, { kind: 'password', certainty: 'surely', isGlued: true }),
  ...rows(foreignPasswordWords, { kind: 'password', certainty: 'surely', isGlued: true }),
  { word: 'mot de passe', kind: 'password', certainty: 'surely', isGlued: false },
  ...rows('secret', { kind: 'password', certainty: 'surely', isGlued: true }),
  ...rows('secrets', { kind: 'password', certainty: 'likely', isGlued: true }),
  ...rows('pass pw psw mdp clave', { kind: 'password', certainty: 'likely', isGlued: false }),
  ...rows('apikey accesskey secretkey authkey privatekey masterkey signingkey', {
    kind: 'api_key',
    certainty: 'likely',
    isGlued: true,
  }),
  ...rows('key keys', { kind: 'api_key', certainty: 'perhaps', isGlued: false }),
  ...rows('token', { kind: 'token', certainty: 'perhaps', isGlued: true }),
  ...rows('tokens auth credential credentials creds', { kind: 'token', certainty: 'perhaps', isGlued: false }),
  ...rows('code', { kind: 'token', certainty: 'perhaps', isGlued: false }),
  ...rows('sig signature hmac', { kind: 'signature', certainty: 'perhaps', isGlued: false }),
];

function rows(names: string, about: Omit<NameWord, 'word'>): NameWord[] {
  return names.split(' ').map((word) => ({ word, ...about }));
}

/** Keys that open something, by the part before: `api_key`, `accountKey`, `Subscription-Key`. */
const openingKeys = new Set(
  'api access secret private account auth encryption signing master shared preshared subscription storage service license deploy consumer client admin webhook functions cipher aes'.split(
    ' ',
  ),
);
/** Keys that everybody may see. */
const publicKeys = new Set(
  'public pub publishable cache idempotency primary foreign sort partition host map'.split(' '),
);
/** Tokens of pagination and of language models. */
const harmlessTokens = new Set(
  'page nextpage next continuation continue cont sync cursor pad eos bos unk mask sep cls stop start end max min num first last total prompt completion input output resume'.split(
    ' ',
  ),
);
/** Parts that may follow the one that counts: `API_KEY_V2`, `PASSWORD_NEW`. */
const tails = new Set('new old v live prod dev test staging base current value string plain raw'.split(' '));

/** Words by their last two letters, so that few have to be compared. The longest come first. */
const byEnding: (NameWord[] | undefined)[] = Array.from({ length: 1024 }, () => undefined);
for (const row of words) {
  const ending = endingOf(row.word, row.word.length);
  byEnding[ending] = [...(byEnding[ending] ?? []), row];
}
const tailEndings: boolean[] = Array.from({ length: 1024 }, () => false);
for (const tail of tails) tailEndings[endingOf(`_${tail}`, tail.length + 1)] = true;
for (const rowsOfEnding of byEnding) rowsOfEnding?.sort((a, b) => b.word.length - a.word.length);

function endingOf(text: string, end: number): number {
  if (end < 2) return 0;
  return ((text.charCodeAt(end - 2) & 31) << 5) | (text.charCodeAt(end - 1) & 31);
}

/** Every word that an identifier which names a secret can end with. */
export const lastWords: readonly string[] = [...words.map(({ word }) => word), ...tails];

export interface FoundName extends SecretName {
  /** Where the part that counts begins, and where the part before it ends. */
  from: number;
  /** The part before, in lower case; empty if there is none. */
  qualifier: string;
  word: string;
}

/** The name of a secret that the identifier ending at `end` is. */
export function secretNameAt(text: string, end: number): FoundName | undefined {
  let to = end;
  while (to > 0 && isDigit(text.charCodeAt(to - 1))) to -= 1;
  if (to < end && isSeparator(text.charCodeAt(to - 1))) to -= 1;
  const found = nameEndingAt(text, to);
  if (found) return found;
  if (tailEndings[endingOf(text, to)] !== true) return undefined;
  const from = partStart(text, to);
  if (from === 0 || !tails.has(text.slice(from, to).toLowerCase())) return undefined;
  // Only identifiers have tails: "password test" has none.
  if (isSeparator(text.charCodeAt(from - 1))) return nameEndingAt(text, from - 1);
  return isCamel(text, from) ? nameEndingAt(text, from) : undefined;
}

function nameEndingAt(text: string, end: number): FoundName | undefined {
  const candidates = byEnding[endingOf(text, end)];
  if (!candidates) return undefined;
  for (const row of candidates) {
    const from = end - row.word.length;
    if (from < 0 || !isWordAt(text, from, row.word)) continue;
    const isBordered = from === 0 || isBorder(text, from);
    if (isBordered || row.isGlued) return judged(row, text, from, isBordered);
    // `dbpass=…`: only the look of its value tells.
    if (row.word === 'pass' || row.word === 'pw') {
      return { kind: 'password', certainty: 'perhaps', from, qualifier: '', word: row.word };
    }
  }
  return undefined;
}

function judged(row: NameWord, text: string, from: number, isBordered: boolean): FoundName | undefined {
  const qualifier = isBordered ? qualifierBefore(text, from) : lettersBefore(text, from);
  const found = { kind: row.kind, certainty: row.certainty, from, qualifier, word: row.word };
  if (row.kind === 'password') {
    // `existingSecret` is the name of an object.
    if (row.word === 'secret' && qualifier === 'existing') return undefined;
    if (row.word === 'pass' || row.word === 'pw') found.certainty = qualifier === '' ? 'likely' : 'surely';
    return found;
  }
  if (row.word === 'key' || row.word === 'keys') {
    if (publicKeys.has(qualifier)) return undefined;
    if (openingKeys.has(qualifier)) found.certainty = 'likely';
    return found;
  }
  // Codes of authorisation travel in addresses; elsewhere a code is anything.
  if (row.word === 'code') return /[?&]/.test(text.charAt(from - 1)) ? found : undefined;
  if (row.word === 'token' || row.word === 'tokens') {
    if (harmlessTokens.has(qualifier)) return undefined;
    if (row.word === 'token' && qualifier !== '') found.certainty = 'likely';
  }
  return found;
}

/** The part of an identifier, or the word, before this one. */
function qualifierBefore(text: string, from: number): string {
  const before = text.charCodeAt(from - 1);
  const isApart = isSeparator(before) || before === 32;
  const end = isApart ? from - 1 : from;
  // "API key" is one name, "my password" is none.
  if (before === 32 && !'ktKT'.includes(text.charAt(from))) return '';
  return lettersBefore(text, end);
}

function lettersBefore(text: string, from: number): string {
  const start = partStart(text, from);
  return start === from ? '' : text.slice(start, from).toLowerCase();
}

const longestPart = 24;

/** Where the run of letters that ends at `end` begins, or its last hump (`dbPass`). */
function partStart(text: string, end: number): number {
  const limit = Math.max(0, end - longestPart);
  let at = end;
  while (at > limit && isLetter(text.charCodeAt(at - 1))) {
    at -= 1;
    if (isCamel(text, at)) break;
  }
  return at;
}

function isWordAt(text: string, from: number, word: string): boolean {
  for (let at = 0; at < word.length; at += 1) {
    if (lower(text.charCodeAt(from + at)) !== word.charCodeAt(at)) return false;
  }
  return true;
}

/** A word may begin here: after no letter, or where a capital follows a small letter or precedes one. */
function isBorder(text: string, from: number): boolean {
  return !isLetter(text.charCodeAt(from - 1)) || isCamel(text, from) || isEscape(text, from);
}

function isCamel(text: string, at: number): boolean {
  return isUpper(text.charCodeAt(at)) && (isLower(text.charCodeAt(at - 1)) || isLower(text.charCodeAt(at + 1)));
}

/** The letter before belongs to an escaped line break: `\npass=…`. */
function isEscape(text: string, from: number): boolean {
  return text.charCodeAt(from - 2) === 92 && 'nrt'.includes(text.charAt(from - 1));
}

const isDigit = (code: number) => code >= 48 && code <= 57;
const isUpper = (code: number) => code >= 65 && code <= 90;
const isLower = (code: number) => code >= 97 && code <= 122;
const isLetter = (code: number) => isUpper(code) || isLower(code) || (code >= 0xc0 && code < 0x2e80);
const isSeparator = (code: number) => code === 95 || code === 45 || code === 46;

function lower(code: number): number {
  if (code < 128) return isUpper(code) ? code | 32 : code;
  if (code >= 0x410 && code <= 0x42f) return code + 32;
  return code >= 0xc0 && code <= 0xde ? code + 32 : code;
}
