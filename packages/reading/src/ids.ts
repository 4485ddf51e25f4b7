/** Letters before digits that make a standard, a format, a machine or a code of an error, and nobody's id. */
const technical = new Set(
  (
    'utf iso rfc sha md aes rsa ed http https ipv es ecma ieee cve cwe base crc ext mp x h amd arm win int uint float char ' +
    'varchar latin cp ora ts error errno line step top port status python java ubuntu rtx sqlstate exit code'
  ).split(' '),
);
const fewestPlainDigits = 5;
const longest = 200;

/** The runs of letters and of digits in a word: "ZX81QT" has three. */
function runsOf(word: string): string[] {
  return word.match(/\p{L}+|\p{N}+/gu) ?? [];
}

/** Whether a word, seen by itself, is the number or code of one case: an order, an account, a commit, a booking. */
export function isId(written: string): boolean {
  const word = written.replace(/^#/, '');
  if (word.length > longest || !/\d/.test(word) || !/^[\p{L}\p{N}][\p{L}\p{N}_-]*$/u.test(word)) return false;
  if (written.startsWith('#')) return word.length > 1;
  if (/^\d+$/.test(word)) return word.length >= fewestPlainDigits && !word.endsWith('000');
  const runs = runsOf(word);
  const digits = runs.filter((run) => /\d/.test(run));
  if (digits.length === runs.length) return false;
  const isCode = runs.length > 2 && /^[A-Z\d]+$/.test(word);
  if (!isCode && isTechnical(runs[0] ?? '')) return false;
  return /[_-]/.test(word) ? isJoinedId(digits, runs, word) : isOneWordId(digits, runs, word);
}

/** A single letter counts in lower case only: h264, but H9ZU1C. */
function isTechnical(run: string): boolean {
  return technical.has(run.length === 1 ? run : run.toLowerCase());
}

/** `ord_55120`, `INV-2024-001`; not `us-east-1`, `x86_64`, `utf-8`. */
function isJoinedId(digits: readonly string[], runs: readonly string[], word: string): boolean {
  // A measure with a unit: "500-ms", "2024-style".
  if (runs.length === 2 && runs[0] === digits[0]) return false;
  return digits.some((run) => run.length >= 3) || word.split(/[_-]/).some((part) => part.length >= 5 && isMixed(part));
}

function isMixed(part: string): boolean {
  const runs = runsOf(part);
  return runs.length >= 3 && part === part.toUpperCase();
}

function isOneWordId(digits: readonly string[], runs: readonly string[], word: string): boolean {
  const isUpper = word === word.toUpperCase();
  const mostDigits = Math.max(...digits.map(({ length }) => length));
  if (runs.length === 2) {
    // "24h", "500ms", "1080p" are measures.
    if (runs[0] === digits[0]) return isUpper && word.length >= 6 && (runs[1]?.length ?? 0) >= 3;
    return (isUpper && word.length >= 5) || mostDigits >= 3;
  }
  if (isUpper) return word.length >= 5;
  const isHex = /^[\da-f]{7,}$/i.test(word) && digits.join('').length >= 2;
  return isHex || mostDigits >= 4 || (digits.length >= 2 && word.length >= 8);
}

const dateLike = /^(?:19|20)\d{6}/;

/** In a command, a query or code much is called by letters and digits; only long ones are somebody's. */
export function isLongId(word: string): boolean {
  if (/^0x/i.test(word) || word.length > longest) return false;
  if (/^\d+$/.test(word)) return word.length >= 11;
  if (/^[\da-f]{12,}$/i.test(word) && /\d/.test(word) && /[a-f]/i.test(word)) return true;
  return isId(word) && runsOf(word).some((run) => /^\d{6,}$/.test(run) && !dateLike.test(run));
}
