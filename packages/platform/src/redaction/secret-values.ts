/** What a name says about its value. */
export interface SecretName {
  kind: 'password' | 'api_key' | 'token';
  /** The name says what the token is for (`access_token`), so that less has to be proved by the value. */
  isQualified: boolean;
}

/**
 * How sure the text around a value is that it is one: `told` by quotes, a tight equals sign or an option of a command; alone
 * on its `line`, as in a YAML file; or in the midst of `prose`.
 */
export type ValueStyle = 'told' | 'line' | 'prose';

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
