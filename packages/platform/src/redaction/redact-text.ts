import { type OnSecret, redactCredentials, redactWellKnownTokens, replacementFor } from './known-secrets.js';

/** No secret worth the name is shorter, with the name that gives it away. */
const shortestTelling = 8;

/** The text without its secrets. Every pattern takes time that is linear in the text. */
export function redactText(text: string, onSecret: OnSecret): string {
  if (text.length < shortestTelling) return text;
  return redactAssignments(redactCredentials(redactWellKnownTokens(text, onSecret), onSecret), onSecret);
}

/** A name that secrets are given to, and what stands between it and its value: `=`, `:`, `=>`, or the space after an option. */
const assignment =
  /(passw(?:or)?d|passphrase|passcode|pwd|secret|token|key)(?:\\*["'`]?\]?[ \t]{0,64}(=>|:=|[=:])[ \t]{0,64}|[ \t]{1,16}(?=[^\s-]))/gi;
/** The name of an option of a command, whose value follows after a space. */
const option = /(?:^|\s)--[\w-]*$/;
const longestName = 40;

/** Takes out the values of assignments as they stand in shells, JSON, YAML, environments and code. */
function redactAssignments(text: string, onSecret: OnSecret): string {
  const values = createValueReader(text);
  let rest = '';
  let done = 0;
  assignment.lastIndex = 0;
  for (let match = assignment.exec(text); match; match = assignment.exec(text)) {
    const [whole, keyword = '', sign] = match;
    const before = text.slice(Math.max(0, match.index - longestName), match.index + keyword.length);
    const name = sign !== undefined || option.test(before) ? secretNameAtEnd(before) : undefined;
    if (!name) continue;
    const found = values.at(match.index + whole.length);
    const style = sign === undefined ? 'told' : styleOf(sign, whole, before, found);
    if (!isSecretValue(name, found.value, style)) continue;
    onSecret(name.kind);
    rest += text.slice(done, found.from) + replacementFor(name.kind);
    done = found.to;
    assignment.lastIndex = found.to;
  }
  return done === 0 ? text : rest + text.slice(done);
}

function styleOf(sign: string, whole: string, before: string, { isQuoted, endsLine }: FoundValue): ValueStyle {
  if (isQuoted || (sign === '=' && !/[ \t]/.test(whole))) return 'told';
  return endsLine && /(?:^|\n)[ \t]*[\w.-]*$/.test(before) ? 'line' : 'prose';
}

/** What a name says about its value. */
interface SecretName {
  kind: 'password' | 'api_key' | 'token';
  /** The name says what the token is for (`access_token`), so that less has to be proved by the value. */
  isQualified: boolean;
}

/**
 * How sure the text around a value is that it is one: `told` by quotes, a tight equals sign or an option of a command; alone
 * on its `line`, as in a YAML file; or in the midst of `prose`.
 */
type ValueStyle = 'told' | 'line' | 'prose';

const passwordName = /(?:passw(?:or)?d|passphrase|passcode|pwd|secret)$/i;
const keyName = /(?:api|access|secret|private|account|auth|encryption|signing|master)[_-]?key$/i;
const tokenName = /([A-Za-z]*)[_-]?token$/i;
/** Tokens of pagination and of language models are no secrets. */
const harmlessToken =
  /^(?:page|nextpage|next|continuation|continue|cont|sync|cursor|pad|eos|bos|unk|mask|sep|cls|stop|start|end|max|min|num|first|last)$/i;

export function secretNameAtEnd(text: string): SecretName | undefined {
  if (keyName.test(text)) return { kind: 'api_key', isQualified: true };
  if (passwordName.test(text)) return { kind: 'password', isQualified: true };
  const [, qualifier] = tokenName.exec(text) ?? [];
  if (qualifier === undefined || harmlessToken.test(qualifier)) return undefined;
  return { kind: 'token', isQualified: qualifier !== '' };
}

const placeholder = /^(?:[$%<{[(*]|\.\.\.|x{3,}$|your[_-]|\[REDACTED)/i;
/** Words that stand where a password would, when people and programs talk about passwords. */
const word =
  /^(?:true|false|null|none|nil|undefined|required|optional|string|str|text|bool|boolean|int|integer|any|object|yes|no|on|off|ok|is|was|not|the|a|an|and|or|for|to|of|in|it|this|that|must|should|can|cannot|will|has|have|invalid|incorrect|wrong|missing|empty|blank|hidden|changed|expired|reset|set|unset|unknown|valid|correct|mismatch|enter|please|field|input|prompt|example|changeit)$/i;
/** The name of a variable, not what is in it. */
const variable = /^[A-Za-z_.]*(?:password|passwd|passphrase|pwd|secret|token|key)$/i;

export function isSecretValue(name: SecretName, value: string, style: ValueStyle): boolean {
  if (!isLikely(name, value, style)) return false;
  return !placeholder.test(value) && !word.test(value) && !variable.test(value);
}

function isLikely({ kind, isQualified }: SecretName, value: string, style: ValueStyle): boolean {
  if (kind === 'token') return value.length >= (isQualified ? 8 : 16) && hasLetterAndDigit(value) && !blank.test(value);
  if (kind === 'api_key') {
    return value.length >= 8 && (value.length >= 20 || hasLetterAndDigit(value)) && !blank.test(value);
  }
  if (blank.test(value)) return style === 'told' && (passphrase.test(value) || isSpaced(value));
  if (style === 'prose') return value.length >= 6 && (hasLetterAndDigit(value) || /[!@#$%^&*+~]./.test(value));
  return value.length >= (style === 'told' ? 3 : 4);
}

const blank = /\s/;
const passphrase = /^[a-z]+(?: [a-z]+){3,7}$/;
/** Code after a prompt, as in `input("Password: ", hide=True)`, begins with a sign. */
const spaced = /^[A-Za-z0-9]\S*(?: \S+){1,7}$/;
/** A word of a message about a password, such as `This field is required`. */
const aboutPasswords =
  /\b(?:passwords?|passphrase|secrets?|user(?:name)?|account|login|field|value|characters?|letters?|digits?|numbers?|symbols?|required|invalid|incorrect|wrong|missing|empty|expired|short|long|weak|match(?:es)?|least|most|enter|choose|confirm|forgot|please|click|see|use|the|an?|is|are|was|be|do|does|did|has|have|had|must|should|can|cannot|will|may|not|no|too|at|by|for|from|in|of|on|or|and|to|with|your|you|it|its|this|that)\b/i;

/** A password with blanks in it, and not a message about one. */
function isSpaced(value: string): boolean {
  return spaced.test(value) && !aboutPasswords.test(value);
}

function hasLetterAndDigit(value: string): boolean {
  return /\d/.test(value) && /[A-Za-z]/.test(value);
}

export interface FoundValue {
  /** Its beginning: enough to judge it by. */
  value: string;
  from: number;
  to: number;
  isQuoted: boolean;
  endsLine: boolean;
}

interface ValueReader {
  at(start: number): FoundValue;
}

const longestJudged = 256;
const longestQuoted = 4096;
const opening = /\\{0,7}["'`]/y;
const wordEnds = new Set([...' \t\r\n"\'`,;&|<>()[]{}\\'].map((letter) => letter.charCodeAt(0)));

/** Reads values of assignments out of a text: up to the closing quote, or up to what ends a word in shells, addresses and code. */
function createValueReader(text: string): ValueReader {
  // Where the last word that was read ends. Values may begin inside of it, many times; its end is looked for once.
  let wordEnd = 0;

  function endOfWord(from: number): number {
    if (from < wordEnd) return wordEnd;
    let to = from;
    while (to < text.length && !wordEnds.has(text.charCodeAt(to))) to += 1;
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
      opening.lastIndex = start;
      const [quote = ''] = opening.exec(text) ?? [];
      const from = start + quote.length;
      const to = quote ? endOfQuoted(from, quote) : endOfWord(from);
      const after = text[to];
      return {
        value: text.slice(from, Math.min(to, from + longestJudged)),
        from,
        to,
        isQuoted: quote !== '',
        endsLine: after === undefined || after === '\n' || after === '\r',
      };
    },
  };
}
