import { type OnSecret, replacementFor } from './secret-kinds.js';
import { isSecretValue, type SecretName, secretNameAtEnd, type ValueStyle } from './secret-values.js';

/** A name that secrets are given to, and what stands between it and its value: `=`, `:`, `=>`, or the space after an option. */
const assignment =
  /(passw(?:or)?d|passphrase|passcode|pwd|secret|token|key)(?:\\*["'`]?\]?[ \t]{0,64}(=>|:=|[=:])[ \t]{0,64}|[ \t]{1,16}(?=[^\s-]))/gi;
/** The name of an option of a command, whose value follows after a space. */
const option = /(?:^|\s)--[\w-]*$/;
const longestName = 40;
const longestValue = 4096;

/** Takes out the values of assignments as they stand in shells, JSON, YAML, environments and code. */
export function redactAssignments(text: string, onSecret: OnSecret): string {
  let rest = '';
  let done = 0;
  assignment.lastIndex = 0;
  for (let match = assignment.exec(text); match; match = assignment.exec(text)) {
    const start = assignment.lastIndex;
    const found = secretAt(text, match, start);
    if (!found) continue;
    onSecret(found.kind);
    rest += text.slice(done, found.from) + replacementFor(found.kind);
    done = found.to;
    assignment.lastIndex = found.to;
  }
  return done === 0 ? text : rest + text.slice(done);
}

interface FoundSecret {
  kind: SecretName['kind'];
  from: number;
  to: number;
}

function secretAt(text: string, match: RegExpExecArray, start: number): FoundSecret | undefined {
  const [whole, keyword = '', sign] = match;
  const before = text.slice(Math.max(0, match.index - longestName), match.index + keyword.length);
  if (sign === undefined && !option.test(before)) return undefined;
  const name = secretNameAtEnd(before);
  if (!name) return undefined;
  const { value, from, to, isQuoted } = valueAt(text, start);
  const style = styleOf(sign, whole, isQuoted, before, text, to);
  return isSecretValue(name, value, style) ? { kind: name.kind, from, to } : undefined;
}

function styleOf(
  sign: string | undefined,
  whole: string,
  isQuoted: boolean,
  before: string,
  text: string,
  end: number,
): ValueStyle {
  if (sign === undefined || isQuoted) return 'told';
  if (sign === '=' && !/[ \t]/.test(whole)) return 'told';
  const endsLine = end === text.length || text[end] === '\n' || text[end] === '\r';
  return endsLine && /(?:^|\n)[ \t]*[\w.-]*$/.test(before) ? 'line' : 'prose';
}

/** The value that begins at `start`: up to its closing quote, or up to what ends a word in shells, addresses and code. */
function valueAt(text: string, start: number) {
  const [opening = ''] = /^\\*["'`]/.exec(text.slice(start, start + 8)) ?? [];
  const from = start + opening.length;
  const limit = Math.min(text.length, from + longestValue);
  let to = from;
  if (opening) while (to < limit && !isClosing(text, to, opening)) to += 1;
  else while (to < limit && !endsWord(text.charCodeAt(to))) to += 1;
  return { value: text.slice(from, to), from, to, isQuoted: opening !== '' };
}

function isClosing(text: string, index: number, opening: string): boolean {
  const code = text.charCodeAt(index);
  if (code === 10 || code === 13) return true;
  return text.startsWith(opening, index) && (opening.length > 1 || text[index - 1] !== '\\');
}

const wordEnds = new Set([...' \t\r\n"\'`,;&|<>()[]{}\\'].map((letter) => letter.charCodeAt(0)));

function endsWord(code: number): boolean {
  return wordEnds.has(code);
}
