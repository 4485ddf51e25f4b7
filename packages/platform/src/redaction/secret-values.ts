import { type SecretName, secretNameAt } from './secret-names.js';

/**
 * How sure the text around a value is that it is one: `told` by quotes, a tight equals sign or an option of a command; alone
 * on its `line`, as in a YAML file; or in the midst of `prose`.
 */
export type ValueStyle = 'told' | 'line' | 'prose';

export interface FoundValue {
  /** Its beginning: enough to judge it by. */
  value: string;
  from: number;
  to: number;
  isQuoted: boolean;
  endsLine: boolean;
}

/** Stands for a value, or says where the value is. */
const placeholder =
  /^(?:[$%<{[(*?:!&@]|\.{2,}|-|x{3,}$|\d{0,2}$|your|my[-_]|changeme|change[-_]|example|dummy|redacted|placeholder|(?:env|file|fd|vault|ssm|arn|op|ref|stdin|prompt|https?|secretsmanager):|(?:~|\.{1,2})?\/[\w.-]*(?:\/|$)|[A-Za-z]:\\|ENC\[)/i;
const placeholderInside = /\.\.\.|\*\*\*|<[^>]*>|\$\{|\{\{/;
/** Literals and types of programming languages, and what forms and programs say in the place of a password. */
const literal =
  /^(?:true|false|null|none|nil|undefined|string|str|text|char|varchar|bytes|bool|boolean|int|integer|number|any|object|optional|required|yes|no|on|off|ok|is|not|the|and|set|unset|empty|invalid|incorrect|wrong|missing|hidden|enabled|disabled|expired|changed|updated|unknown|valid|basic|default|field|input)$/i;
/** Rules of validation: `required|min:8`. */
const validation = /^(?:required|nullable|string|sometimes|confirmed)\|/;
/** What grammar puts into sentences and nobody into a passphrase. */
const grammar =
  /\b(?:a|an|the|is|are|was|be|been|do|does|did|has|have|must|should|can|cannot|may|will|not|no|too|to|of|for|in|on|at|by|with|from|and|or|your|you|it|its|this|that|please)\b/i;

/** Whether the value of such a name is a secret, written in such a style. */
export function isSecretValue({ kind, certainty }: SecretName, value: string, style: ValueStyle): boolean {
  if (kind !== 'password') {
    if (value.length < 8 || !isToken(value)) return false;
    const isLong = value.length >= (kind === 'api_key' ? 20 : 16);
    return (certainty === 'perhaps' ? isLong && isRandom(value) : isLong || /\d/.test(value)) && !isPlaceholder(value);
  }
  const needsLook = certainty !== 'surely' || style === 'prose';
  if (certainty === 'perhaps' && style !== 'told') return false;
  if (needsLook && style !== 'told' && isPlain(value)) return false;
  if (/\s/.test(value)) return style === 'told' && isPassphrase(value) && !isPlaceholder(value);
  if (needsLook ? !looksLikePassword(value) : value.length < (style === 'told' ? 3 : 4)) return false;
  return !isPlaceholder(value) && (!plainWord.test(value) || (!literal.test(value) && !nameOnly.test(value)));
}

function isPlaceholder(value: string): boolean {
  return placeholder.test(value) || placeholderInside.test(value) || validation.test(value);
}

/** The word for a password is none. */
const nameOnly = /^(?:password|passwd|passphrase|pass|pwd|pw|secret|token|key|api_?key)$/i;

const path = /^[A-Za-z_$][\w$]*(?:(?:\.|::|->|\?\.)[A-Za-z_$][\w$]*)+$/;
const plainWord = /^[A-Za-z_\u00c0-\u2e7f]+$/;

/** Code that says where a value comes from: a name of something that is no text, when it stands without quotes. */
export function isReference(value: string, next: string | undefined): boolean {
  if (next === '(' || next === '[') return /^[\w.$:>-]+$/.test(value);
  if (next === ')' && plainWord.test(value)) return true;
  if (path.test(value) && !/\d/.test(value)) return true;
  const name = plainWord.test(value) ? secretNameAt(value, value.length) : undefined;
  return name !== undefined && (name.kind !== 'password' || name.certainty !== 'perhaps');
}

/** Several words that are no sentence: a phrase in small letters, or words with one among them that is no word. */
function isPassphrase(value: string): boolean {
  if (value.length > 100 || grammar.test(value)) return false;
  return /^[a-z]+(?: [a-z0-9]+){1,7}$/.test(value) || value.split(/\s+/).some(looksLikePassword);
}

/** Words that have digits by nature, measures, dates and addresses. */
const technical =
  /^(?:(?:base|sha|md|utf|oauth|pbkdf|argon|http|ipv|aes|rsa|ed|es|hs|rs|rfc|tls|ssl|win|python|py|node|web|user|step|host|server|db|test|v|version|level|type|option|phase|part|page|line|chapter|figure)[-_]?\d[\w.-]*|\d[\d.,:/_-]*[A-Za-z%]{0,3}|\d{4}-\d\d-\d\dT.*|[\w.+-]+@[\w-]+\.[\w.-]+|\w+:\/\/.*|[\w.-]*[/\\].*|[A-Za-z]\w*\(.*)$/i;

/** As somebody would choose a password: a mixture of letters with digits or signs, and no technical term. */
export function looksLikePassword(value: string): boolean {
  if (value.length < 5 || !mixture.test(value) || !/[A-Za-z]/.test(value)) return false;
  return !technical.test(value);
}

/** Nothing in it that no word has. Rules most words of sentences out at once. */
function isPlain(value: string): boolean {
  for (let at = 0; at < value.length; at += 1) if (noWordHas[value.charCodeAt(at)] === 1) return false;
  return true;
}

const noWordHas = new Uint8Array(65_536);
for (const letter of '0123456789!@#$%^&*+~') noWordHas[letter.charCodeAt(0)] = 1;
const mixture = /\d|[A-Za-z][!@#$%^&*+~]+[A-Za-z]|[A-Za-z0-9]{4}[!#$^&]$/;

/** Words with marks between them, and perhaps a number: how people name things. */
const wordy = /^[A-Za-z]+(?:[-_.][A-Za-z]+)*(?:[-_.]?\d{1,2})?$/;
const fileName = /^[\w.-]+(?:\/[\w.-]+)+\.\w{1,5}$|^[a-z]+(?:\/[a-z0-9._-]+)+$/;

/** Letters of tokens and their encodings, `=` only as padding; and not the way that people name things. */
function isToken(value: string): boolean {
  for (let at = 0; at < value.length; at += 1) {
    const code = value.charCodeAt(at);
    if (code === 61) {
      if (value.length - at > 3) return false;
    } else if (tokenLetter[code] !== 1) return false;
  }
  return (
    !fileName.test(value) && (!wordy.test(value) || (value.length >= 16 && changesOf(value) >= value.length * 0.35))
  );
}

const tokenLetter = new Uint8Array(65_536);
for (let code = 33; code < 127; code += 1)
  if (/[\w.~+/%:@!#$^&*"-]/.test(String.fromCharCode(code))) tokenLetter[code] = 1;

/** Digits among letters as no word and no name has them: small letters, capitals and digits change again and again. */
export function isRandom(value: string): boolean {
  const start = value.slice(0, 64);
  return changesOf(start) >= start.length * 0.2 && (/\d/.test(value) || changesOf(start) >= start.length * 0.35);
}

function changesOf(value: string): number {
  let changes = 0;
  let before = 0;
  for (let at = 0; at < value.length; at += 1) {
    const kind = letterKind(value.charCodeAt(at));
    if (kind === 0) continue;
    if (before !== 0 && kind !== before) changes += 1;
    before = kind;
  }
  return changes;
}

function letterKind(code: number): 0 | 1 | 2 | 3 {
  if (code >= 48 && code <= 57) return 1;
  if (code >= 65 && code <= 90) return 2;
  return code >= 97 && code <= 122 ? 3 : 0;
}

const longestJudged = 128;
/** Values that are read within one word. More are only found in texts that are made to keep the reader busy. */
const mostInWord = 16;
const longestQuoted = 4096;
const opening = /\\{0,7}["'`]/y;
/** What ends a word in shells, addresses and code; and letters that are written without blanks between words. */
const wordEnds = new Uint8Array(65_536);
for (const letter of ' \t\r\n"\'`,;&|<>()[]{}\\') wordEnds[letter.charCodeAt(0)] = 1;
wordEnds.fill(1, 0x2e80);

/** Reads values out of a text: up to the closing quote, or to the end of the word. */
export interface ValueReader {
  at(start: number): FoundValue;
}

export function createValueReader(text: string): ValueReader {
  // The last word that was read. Values may begin inside of it, many times; its end is looked for once.
  let wordStart = 0;
  let wordEnd = 0;
  let readInWord = 0;

  function endOfWord(from: number): number {
    if (from >= wordStart && from < wordEnd) {
      readInWord += 1;
      return readInWord > mostInWord ? from : wordEnd;
    }
    readInWord = 0;
    let to = from;
    while (to < text.length && wordEnds[text.charCodeAt(to)] === 0) to += 1;
    wordStart = from;
    wordEnd = to;
    return to;
  }

  function endOfQuoted(from: number, quote: string): number {
    const limit = Math.min(text.length, from + longestQuoted);
    let to = from;
    while (to < limit && !isClosing(to, quote)) to += 1;
    return to;
  }

  function isClosing(at: number, quote: string): boolean {
    const code = text.charCodeAt(at);
    if (code === 10 || code === 13) return true;
    return text.startsWith(quote, at) && (quote.length > 1 || text[at - 1] !== '\\');
  }

  return {
    at(start) {
      const first = text.charCodeAt(start);
      let quote = '';
      if (first === 34 || first === 39 || first === 96) quote = text.charAt(start);
      else if (first === 92) {
        opening.lastIndex = start;
        quote = opening.exec(text)?.[0] ?? '';
      }
      const from = start + quote.length;
      let to = quote ? endOfQuoted(from, quote) : endOfWord(from);
      const after = text[to];
      const endsLine = after === undefined || after === '\n' || after === '\r';
      // The full stop of a sentence is no part of the value.
      if (!quote && to - from > 1 && (endsLine || after === ' ') && '.?:'.includes(text.charAt(to - 1))) to -= 1;
      return {
        value: text.slice(from, Math.min(to, from + longestJudged)),
        from,
        to,
        isQuoted: quote !== '',
        endsLine,
      };
    },
  };
}
