import { passwordOfConnection, passwordOfNetrc, passwordOfPair, secretOfName } from './assignments.js';
import { createKubernetesSecrets, type KubernetesSecrets, privateKey, puttyKey } from './blocks.js';
import { type Command, passwordOfOpenssl, passwordsAtPlaces, passwordsOfFlag, programs } from './commands.js';
import { passwordHash, passwordOfPgpass, passwordOfSql } from './credential-files.js';
import { credentialsAfterScheme, credentialsOfHeader, saslCredentials, secretCookies } from './headers.js';
import { type OnSecret, replacementFor, type Span } from './secret-kinds.js';
import { secretNameAt } from './secret-names.js';
import { createValueReader, type ValueReader } from './secret-values.js';
import { ownKeysIn, shortestTokenWord, tokenAt } from './token-shapes.js';
import { passwordBeforeHost, passwordInUrl, secretsOfWebhook } from './urls.js';
import { isTellingWord, type Role, roleOf } from './word-roles.js';

/** No secret worth the name is shorter, with the name that gives it away. */
const shortestTelling = 8;

/** How far a text has been read, and what was taken out of it. */
interface Reading {
  text: string;
  /** The same as numbers, which are faster to go through. */
  codes: Uint16Array;
  onSecret: OnSecret;
  /** These two are made when the first word asks for them: most texts have none. */
  values: ValueReader | undefined;
  kubernetesSecrets: KubernetesSecrets | undefined;
  /** The text up to `done`, without its secrets. */
  rest: string;
  done: number;
  /** The command that is being read, if its program takes passwords as options. */
  command: Command | undefined;
  /** Up to here, addresses of webhooks have been read. */
  webhooksReadTo: number;
}

/**
 * The text without its secrets. Reads the text once, word by word: the length and the last letters tell of most words that they
 * have no part in a secret, and the others are judged with the few words around them. What is looked at around a word is bounded
 * or looked at once, so time is linear in the text.
 */
export function redactText(text: string, onSecret: OnSecret): string {
  if (text.length < shortestTelling) return text;
  const reading: Reading = {
    text,
    codes: codesOf(text),
    onSecret,
    values: undefined,
    kubernetesSecrets: undefined,
    rest: '',
    done: 0,
    command: undefined,
    webhooksReadTo: 0,
  };
  readAll(reading);
  return reading.done === 0 ? text : reading.rest + text.slice(reading.done);
}

const shortCodes = new Uint16Array(512);

/** Valid until the next call: short texts share an array, since most texts are short. */
function codesOf(text: string): Uint16Array {
  if (text.length <= shortCodes.length) {
    for (let at = 0; at < text.length; at += 1) shortCodes[at] = text.charCodeAt(at);
    return shortCodes;
  }
  const { buffer, byteOffset } = Buffer.from(text, 'utf16le');
  return new Uint16Array(buffer, byteOffset, text.length);
}

function readAll(reading: Reading): void {
  const { text, codes } = reading;
  const to = text.length;
  let at = 0;
  while (at < to) {
    const letter = letters[codes[at] as number] as number;
    if (letter === ordinary) {
      at += 1;
      continue;
    }
    if (letter === endOfCommand) {
      reading.command = undefined;
      at += 1;
      continue;
    }
    if (letter !== inWord) {
      take(reading, secretsAtSign(reading, letter, at));
      at = Math.max(at + 1, reading.done);
      continue;
    }
    const start = at;
    do at += 1;
    while (at < to && letters[codes[at] as number] === inWord);
    const isOption = reading.command !== undefined && codes[start] === 45;
    if (at - start < shortestTokenWord && !isOption && !isTellingWord(codes, start, at)) continue;
    // The letter of an escaped line break is no part of the word.
    const isEscaped = start > 0 && codes[start - 1] === 92 && 'nrt'.includes(text.charAt(start));
    readWord(reading, isEscaped ? start + 1 : start, at);
    if (reading.done > at) at = reading.done;
  }
}

/** The secrets that a word or sign gives away, in the order of the text. */
type Found = Span | readonly Span[] | undefined;

function take(reading: Reading, found: Found): void {
  if (Array.isArray(found)) for (const span of found) takeOne(reading, span);
  else if (found) takeOne(reading, found as Span);
}

function takeOne(reading: Reading, span: Span): void {
  if (span.from < reading.done || span.to <= span.from) return;
  // A token that says itself what it is does so whatever its name.
  const isLong = span.to - span.from >= shortestTokenWord;
  const { from, to, kind } = (isLong ? tokenAt(reading.text, span.from) : undefined) ?? span;
  reading.onSecret(kind);
  reading.rest += reading.text.slice(reading.done, from) + replacementFor(kind);
  reading.done = Math.max(to, span.to);
}

function valuesOf(reading: Reading): ValueReader {
  reading.values ??= createValueReader(reading.text);
  return reading.values;
}

function readWord(reading: Reading, start: number, end: number): void {
  const { text, command } = reading;
  if (end - start >= shortestTokenWord) {
    take(reading, tokenAt(text, start));
    take(reading, ownKeysIn(text, start, end));
  }
  if (command && text.charCodeAt(start) === 45 && reading.done <= start) {
    take(reading, passwordsOfFlag(text, command, start, end, valuesOf(reading)));
  }
  if (reading.done > start || !isTellingWord(reading.codes, start, end)) return;
  const role = roleOf(text, reading.codes, start, end);
  if (role) take(reading, secretsOfRole(reading, role, start, end));
  if (reading.done > start) return;
  const name = secretNameAt(text, end);
  if (name) take(reading, secretOfName(text, name, start, end, valuesOf(reading)));
}

function secretsOfRole(reading: Reading, { part, word }: Role, start: number, end: number): Found {
  const { text } = reading;
  switch (part) {
    case 'program': {
      const program = programs.get(word);
      if (!program || '.=-'.includes(text.charAt(start - 1) || ' ')) return undefined;
      reading.command = { program, programEnd: end };
      return passwordsAtPlaces(text, program, end);
    }
    case 'scheme':
      return credentialsAfterScheme(text, end, word);
    case 'authorization':
      return credentialsOfHeader(text, end);
    case 'cookie':
      return secretCookies(text, end, /set-$/i.test(text.slice(start, end - word.length)));
    case 'sasl':
      return saslCredentials(text, end);
    case 'webhook': {
      if (end < reading.webhooksReadTo) return undefined;
      const { secrets, readTo } = secretsOfWebhook(text, end);
      reading.webhooksReadTo = readTo;
      return secrets;
    }
    case 'token':
      return tokenAt(text, start);
    case 'pair':
      return passwordOfPair(text, end, valuesOf(reading)) ?? passwordOfNetrc(text, end, valuesOf(reading));
    case 'connection':
      return passwordOfConnection(text, end, valuesOf(reading));
    case 'sql':
      return passwordOfSql(text, end);
    case 'pem':
      return privateKey(text, end);
    case 'putty':
      return puttyKey(text, end);
    case 'data':
      reading.kubernetesSecrets ??= createKubernetesSecrets(text);
      return reading.kubernetesSecrets.valuesAt(end);
    case 'openssl':
      return passwordOfOpenssl(text, end);
  }
}

function secretsAtSign(reading: Reading, letter: number, at: number): Found {
  const { text } = reading;
  const before = text.charCodeAt(at - 1);
  switch (letter) {
    case colon:
      if (text.charCodeAt(at + 1) === 47) {
        return text.charCodeAt(at + 2) === 47 && isLetter(before) ? passwordInUrl(text, at) : undefined;
      }
      // A name in JSON begins something else.
      if (before === 34) reading.command = undefined;
      return isDigit(before) || before === 42 ? passwordOfPgpass(text, at) : undefined;
    case atSign:
      return passwordBeforeHost(text, at);
    case hashStart:
      return startsHash[text.charCodeAt(at + 1)] === 1 ? passwordHash(text, at) : undefined;
    default: {
      const name = secretNameAt(text, at + 1);
      return name ? secretOfName(text, name, name.from, at + 1, valuesOf(reading)) : undefined;
    }
  }
}

const [ordinary, inWord, endOfCommand, colon, atSign, hashStart, nameEnd] = [0, 1, 2, 3, 4, 5, 6];
/** What each letter means to the reader. The letters of languages that write without blanks end names by themselves. */
const letters = new Uint8Array(65_536);
letters.fill(inWord, 0xc0, 0x2000);
for (let code = 0; code < 128; code += 1) if (/[\w-]/.test(String.fromCharCode(code))) letters[code] = inWord;
for (const letter of '\n;|&') letters[letter.charCodeAt(0)] = endOfCommand;
for (const letter of '码碼令ド호') letters[letter.charCodeAt(0)] = nameEnd;
for (const letter of '${') letters[letter.charCodeAt(0)] = hashStart;
letters[58] = colon;
letters[64] = atSign;

/** What follows `$` or `{` in a hash. */
const startsHash = new Uint8Array(65_536);
for (const letter of '12567agmpsyCMPS') startsHash[letter.charCodeAt(0)] = 1;

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
