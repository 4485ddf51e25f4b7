import { type OnSecret, replacementFor } from './secret-kinds.js';
import { isSecretValue, secretNameAtEnd, type ValueStyle } from './secret-values.js';
import { createValueReader, type FoundValue } from './value-reader.js';

/** A name that secrets are given to, and what stands between it and its value: `=`, `:`, `=>`, or the space after an option. */
const assignment =
  /(passw(?:or)?d|passphrase|passcode|pwd|secret|token|key)(?:\\*["'`]?\]?[ \t]{0,64}(=>|:=|[=:])[ \t]{0,64}|[ \t]{1,16}(?=[^\s-]))/gi;
/** The name of an option of a command, whose value follows after a space. */
const option = /(?:^|\s)--[\w-]*$/;
const longestName = 40;

/** Takes out the values of assignments as they stand in shells, JSON, YAML, environments and code. */
export function redactAssignments(text: string, onSecret: OnSecret): string {
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
