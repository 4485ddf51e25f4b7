import { argumentAfter, typedByCall, typedByTool } from './form-fields.js';
import type { Span } from './secret-kinds.js';
import type { FoundName, SecretName } from './secret-names.js';
import { type FoundValue, isReference, isSecretValue, type ValueReader, type ValueStyle } from './secret-values.js';
import { endOfCopula } from './sentences.js';

/** `=`, `:`, `=>` and the like between a name and its value, with the quotes and emphasis around the name. */
const sign =
  /\\{0,7}["'`]?\]?[*_`]{0,3}[ \t]{0,64}(?:=>|[:?+]=|[=!]==?|=|:(?!:)|::(?= )|：|%3[Dd]|%3[Aa])[*_]{0,2}[ \t]{0,64}/y;
const blockScalar = /[|>][-+]?[ \t]{0,8}\r?\n[ \t]{0,64}/y;
const typed = /[&\w.<>[\]| ]{1,40}[ \t]=[ \t](?=["'`])/y;
/** `b'…'`, `f"…"`, `N'…'` */
const stringPrefix = /(?:[bfruNL@$]|[br]{2}|fr|rf)(?=["'])/iy;
const severalWords = /[^\s"'`=&;,]{1,64}(?: [^\s"'`=&;,]{1,64}){1,7}/y;
const braced = /\{(?=[^{}\r\n]{1,128}\})/y;
const restOfLine = /[^\s"'`]{1,256}(?=[ \t]*(?:\r|\n|$))/y;
/** Up to three line breaks before a word that is alone on its line. */
const lineBelow = /[ \t]{0,8}(?:(?:\r?\n|(?:\\r)?\\n)[ \t]{0,16}){1,3}(?=[^\s\\]{16,128}[ \t]{0,8}(?:[\r\n\\"]|$))/y;
const lineStart = /(?:^|\n|\\n)[ \t]*(?:[-*>] |export |set |\/\/)?[\w.$\u00c0-\u1fff-]*$/;

/** What may stand between a name in quotes or tags and its value. */
const element = /\\{0,3}["']?>(?=[^<>\r\n]{1,512}<\/)/y;
/** The name is a value itself, and its own value comes next: `"name": "DB_PASSWORD", "value": …`. */
const valueNext =
  /\\{0,3}["']?[ \t]{0,8}[,{]?\s{0,32}(?:[\w-]{1,20}=["'][^"'\r\n]{0,40}["']\s{1,4}){0,3}\\{0,3}["']?(?:value|default)\\{0,3}["']?[ \t]{0,8}[:=][ \t]{0,8}/iy;
const formPart = /"\r?\n\r?\n/y;

const optionValue = /[ \t]{1,16}(?=[^\s-])/y;
const tableCell = /[ \t]{1,16}\|[ \t]{1,16}/y;
/** Routers put the number of the encoding between the word and the password. */
const adjacent = /[ \t]{1,16}(?:\d )?/y;
const pair = /[=:]?[ \t]{0,4}[([][ \t]{0,4}["'][^"'\r\n]{1,128}["'],[ \t]{0,4}(?=["'])/y;
const connection = /\(\s{0,16}[^\s,()]{1,128},\s{0,16}["'][^"'\r\n]{1,64}["'],\s{0,16}(?=["'])/y;
const netrc = /\s{1,8}[^\s("']{1,64}\s{1,16}password\s{1,16}(?=[^\s$<])/y;

/** The secret that the name ending at `nameEnd` announces; its word begins at `wordStart`. */
export function secretOfName(
  text: string,
  name: FoundName,
  wordStart: number,
  nameEnd: number,
  values: ValueReader,
): Span | undefined {
  const signEnd = endOfSign(text, nameEnd);
  if (signEnd !== undefined) {
    return inQuotes(text, name, wordStart, signEnd) ?? afterSign(text, name, nameEnd, signEnd, values);
  }
  switch (text.charCodeAt(nameEnd)) {
    case 9:
    case 32:
      return afterBlank(text, name, wordStart, nameEnd, values);
    case 10:
    case 13:
    case 34:
    case 39:
    case 62:
    case 92:
    case 93:
      return afterQuote(text, name, nameEnd, values);
    case 44:
      // `type(#password, "…")`.
      return text.charCodeAt(wordStart - 1) === 35 ? afterQuote(text, name, nameEnd, values) : undefined;
    case 40:
      return inCall(text, name, nameEnd, values);
    case 47:
      return inPath(text, name, values.at(nameEnd + 1));
    case 0xb294:
    case 0x306f:
    case 0x662f:
    case 0x4e3a:
    case 0x70ba:
      // "Is", in Korean, Japanese and Chinese.
      return judge(text, name, values.at(nameEnd + (text.charCodeAt(nameEnd + 1) === 32 ? 2 : 1)), 'prose');
    default:
      return undefined;
  }
}

/** Most signs are a single one with no blanks, and need no pattern. */
function endOfSign(text: string, nameEnd: number): number | undefined {
  const next = text.charCodeAt(nameEnd);
  if (next === 61 && tightAfter[text.charCodeAt(nameEnd + 1)] === 1) return nameEnd + 1;
  if (next === 44 || next === 46 || next === 59 || next === 41 || next === 10) return undefined;
  const isWordNext = inWords[text.charCodeAt(nameEnd + 1)] === 1;
  if (next === 58 && isWordNext) return nameEnd + 1;
  // In sentences, a word follows.
  if (next === 32 && isWordNext) return undefined;
  return end(sign, text, nameEnd);
}

const inWords = new Uint8Array(65_536);
inWords.fill(1, 48, 58).fill(1, 65, 91).fill(1, 97, 123).fill(1, 0xc0, 0x2000);

/** What begins a value right after an equals sign, and no other sign. */
const tightAfter = new Uint8Array(65_536);
for (let code = 33; code < 127; code += 1) if (!/[=>*_ \t]/.test(String.fromCharCode(code))) tightAfter[code] = 1;

function afterSign(
  text: string,
  name: FoundName,
  nameEnd: number,
  signEnd: number,
  values: ValueReader,
): Span | undefined {
  const isTight = signEnd === nameEnd + 1;
  const written = isTight ? text.charAt(nameEnd) : text.slice(nameEnd, signEnd);
  if (name.word === 'auth') {
    const found = passwordOfPair(text, nameEnd, values);
    if (found) return found;
  }
  const at = written.includes(': ')
    ? (end(blockScalar, text, signEnd) ?? end(typed, text, signEnd) ?? signEnd)
    : signEnd;
  if (text.charCodeAt(at) === 123 && written === '=' && end(braced, text, at) !== undefined) {
    return judgeText(name, text, at + 1, text.indexOf('}', at));
  }
  const found = values.at(afterPrefix(text, at));
  if (written.length > 1 && /[=!]=/.test(written) && !found.isQuoted) return undefined;
  if (name.kind === 'token' && /^(?:auth|cred)/.test(name.word)) {
    const span = afterUser(found);
    if (span) return span;
  }
  if (found.isQuoted ? text.charCodeAt(at) !== 96 || isTight : written === '=') return judge(text, name, found, 'told');
  if (written.includes('%3') || (written.includes('=') && !/[ \t]/.test(written)))
    return judge(text, name, found, 'told');
  if (found.to === found.from && endsLine(text, found.to)) return onNextLine(text, name, signEnd, values);
  return inLine(text, name, nameEnd, found);
}

/** `--env "DB_PASSWORD=two words"`: the quotes are around the name as well. */
function inQuotes(text: string, name: FoundName, wordStart: number, signEnd: number): Span | undefined {
  if (!isQuote(text.charCodeAt(wordStart - 1)) || text.charCodeAt(signEnd - 1) !== 61) return undefined;
  const to = end(severalWords, text, signEnd);
  const isClosed = to !== undefined && text.charCodeAt(to) === text.charCodeAt(wordStart - 1);
  return isClosed ? judgeText(name, text, signEnd, to) : undefined;
}

function afterPrefix(text: string, at: number): number {
  const isNear = isQuote(text.charCodeAt(at + 1)) || isQuote(text.charCodeAt(at + 2));
  return (isNear ? end(stringPrefix, text, at) : undefined) ?? at;
}

const isQuote = (code: number) => code === 34 || code === 39;

function endsLine(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 10 || code === 13 || code === 32 || code === 92;
}

/** "Your password:", and the password alone on a line below. What programs print after a prompt looks the same, unless it is random. */
function onNextLine(text: string, { kind }: SecretName, signEnd: number, values: ValueReader): Span | undefined {
  const at = end(lineBelow, text, signEnd);
  const found = at === undefined ? undefined : values.at(at);
  if (!found || !isSecretValue({ kind: 'token', certainty: 'perhaps' }, found.value, 'line')) return undefined;
  return { from: found.from, to: found.to, kind };
}

function inLine(text: string, name: FoundName, nameEnd: number, found: FoundValue): Span | undefined {
  const isAlone = !found.isQuoted && beginsLine(text, name.from, nameEnd);
  if (isAlone && found.endsLine) return judge(text, name, found, styleOnLine(name, found));
  const to = isAlone && !isReference(found.value, text[found.to]) ? end(restOfLine, text, found.from) : undefined;
  const isWhole = to !== undefined && to > found.to && !',;'.includes(text.charAt(to - 1));
  return isWhole ? judgeText(name, text, found.from, to, styleOnLine(name, found)) : judge(text, name, found, 'prose');
}

function beginsLine(text: string, nameStart: number, nameEnd: number): boolean {
  const before = text.charCodeAt(nameStart - 1);
  if (before === 58 || before === 44 || before === 59 || before === 38) return false;
  // Before the blank, only the last letters of `lineStart` may stand.
  if (before === 32 && !' \t\n-*>tn'.includes(text.charAt(nameStart - 2))) return false;
  return lineStart.test(text.slice(Math.max(0, nameEnd - 64), nameEnd));
}

/** `low_pass: 440Hz` is a filter. */
function styleOnLine({ word }: FoundName, { value }: FoundValue): ValueStyle {
  return word === 'pass' && /^\d/.test(value) ? 'prose' : 'line';
}

/** `credentials: bob:hunter2`. */
function afterUser({ value, from, to }: FoundValue): Span | undefined {
  const colon = value.indexOf(':');
  if (colon < 1 || !/^[\w.@-]+$/.test(value.slice(0, colon))) return undefined;
  const isSecret = isSecretValue({ kind: 'password', certainty: 'likely' }, value.slice(colon + 1), 'told');
  return isSecret ? { from: from + colon + 1, to, kind: 'password' } : undefined;
}

/** `auth=("bob", "hunter2")`, `HTTPBasicAuth('bob', 'hunter2')`, `login("bob", "hunter2")`. */
export function passwordOfPair(text: string, wordEnd: number, values: ValueReader): Span | undefined {
  const at = end(pair, text, wordEnd);
  return at === undefined ? undefined : judge(text, { kind: 'password', certainty: 'surely' }, values.at(at), 'told');
}

/** `connect("db", "root", "hunter2")`: the host or address, the user, the password. */
export function passwordOfConnection(text: string, wordEnd: number, values: ValueReader): Span | undefined {
  const at = text.charCodeAt(wordEnd) === 40 ? end(connection, text, wordEnd) : undefined;
  return at === undefined ? undefined : judge(text, { kind: 'password', certainty: 'surely' }, values.at(at), 'prose');
}

function afterQuote(text: string, name: FoundName, nameEnd: number, values: ValueReader): Span | undefined {
  const inside = end(element, text, nameEnd);
  if (inside !== undefined) return judgeText(name, text, inside, text.indexOf('<', inside));
  const at = end(valueNext, text, nameEnd) ?? end(formPart, text, nameEnd);
  if (at !== undefined) return judge(text, name, values.at(at), 'told');
  const typed = typedByCall(text, nameEnd);
  if (typed !== undefined) return judge(text, name, values.at(typed), 'told');
  const next = typedByTool(text, nameEnd) ?? argumentAfter(text, nameEnd);
  return next === undefined ? undefined : judge(text, name, values.at(next), 'prose');
}

/** `set_password('…')`, SQL's `PASSWORD('…')`. */
function inCall(text: string, name: FoundName, nameEnd: number, values: ValueReader): Span | undefined {
  const found = name.kind === 'password' ? values.at(nameEnd + 1) : undefined;
  const isOnly = found?.isQuoted && text.charCodeAt(found.to + 1) === 41;
  return isOnly ? judge(text, name, found, 'prose') : undefined;
}

/** `/key/…`, `/token/…` in addresses. */
function inPath(text: string, { kind }: SecretName, found: FoundValue): Span | undefined {
  return kind === 'password' ? undefined : judge(text, { kind, certainty: 'perhaps' }, found, 'prose');
}

function afterBlank(
  text: string,
  name: FoundName,
  wordStart: number,
  nameEnd: number,
  values: ValueReader,
): Span | undefined {
  const isOption = text.charCodeAt(wordStart) === 45;
  const argument = isOption ? end(optionValue, text, nameEnd) : undefined;
  if (argument !== undefined) {
    const certainty = name.word === 'secret' && name.qualifier === '' ? 'likely' : name.certainty;
    return judge(text, { kind: name.kind, certainty }, values.at(argument), 'told');
  }
  const typed = typedByTool(text, nameEnd);
  if (typed !== undefined) return judge(text, name, values.at(typed), 'prose');
  const told =
    endOfCopula(text, name.from, nameEnd) ??
    (text.charCodeAt(nameEnd + 1) === 124 ? end(tableCell, text, nameEnd) : undefined);
  if (told !== undefined) {
    const found = values.at(told);
    if (found.to === found.from) return onNextLine(text, name, told, values);
    return judge(text, name, found.isQuoted ? found : toBlank(text, found), found.isQuoted ? 'told' : 'prose');
  }
  return directlyAfter(text, name, nameEnd, values);
}

/** Passwords in sentences may hold signs that end a word elsewhere. */
function toBlank(text: string, found: FoundValue): FoundValue {
  if (!'&,;<>|'.includes(text.charAt(found.to) || ' ')) return found;
  const to = end(restOfLine, text, found.from);
  if (to === undefined || ',;.'.includes(text.charAt(to - 1))) return found;
  return { ...found, value: text.slice(found.from, to), to };
}

/** A password directly after its name: `password hunter2`, `requirepass …`, `setx DB_PASS …`, SQL's `PASSWORD '…'`. */
function directlyAfter(text: string, name: FoundName, nameEnd: number, values: ValueReader): Span | undefined {
  if (name.word === 'secret' && text.charCodeAt(nameEnd + 2) !== 32) return undefined;
  if (name.word === 'pass' && name.certainty !== 'surely') return undefined;
  const at = end(adjacent, text, nameEnd);
  if (at === undefined) return undefined;
  const found = values.at(at);
  if (name.kind !== 'password') return inPath(text, name, found);
  return judge(text, name, found, found.isQuoted && text.charCodeAt(at) !== 96 ? 'told' : 'prose');
}

/** `login bob password …` in `.netrc`. `login` ends at `wordEnd`. */
export function passwordOfNetrc(text: string, wordEnd: number, values: ValueReader): Span | undefined {
  const at = end(netrc, text, wordEnd);
  return at === undefined ? undefined : judge(text, { kind: 'password', certainty: 'surely' }, values.at(at), 'told');
}

function judge(text: string, name: SecretName, found: FoundValue, style: ValueStyle): Span | undefined {
  if (!isSecretValue(name, found.value, style)) return undefined;
  if (!found.isQuoted && isReference(found.value, text[found.to])) return undefined;
  return { from: found.from, to: found.to, kind: name.kind };
}

function judgeText(
  name: SecretName,
  text: string,
  from: number,
  to: number,
  style: ValueStyle = 'told',
): Span | undefined {
  return isSecretValue(name, text.slice(from, to), style) ? { from, to, kind: name.kind } : undefined;
}

/** Where the pattern, which begins at `at`, ends. */
function end(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
