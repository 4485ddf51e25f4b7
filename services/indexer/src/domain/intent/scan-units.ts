/** A sentence or a line, or a few short ones: what is kept or left out as a whole. */
export interface Unit {
  /** Where it is in the text. */
  start: number;
  end: number;
  tokens: number;
  words: number;
  letters: number;
  visible: number;
  /** Number of its paragraph: blank lines and fences part them. */
  paragraph: number;
  /** Inside a fenced block. */
  fenced: boolean;
  /** Hashes of its words of three letters and more; numbers are left out, so that the lines of a log look alike. */
  wordHashes: number[];
}

const longestUnit = 60;
const shortestUnit = 4;
/** A large text is cut into larger units, so that there are never many more than this. */
const mostUnits = 4_000;
/** What is longer than this in one piece is no word; it is cut here. */
const longestRun = 200;
const backtick = 96;

/** Cuts a text into units, in one pass: after sentences, at line ends, and where one grows too long. */
export function scanUnits(text: string): Unit[] {
  const shortest = Math.min(longestUnit / 3, Math.max(shortestUnit, text.length / 4 / mostUnits));
  const units: Unit[] = [];
  let paragraph = 0;
  let fenced = false;
  let unit = emptyUnit(0, paragraph, fenced);
  let letters = 0;
  let digits = 0;
  let hash = 0;
  let inWord = false;

  function endRun(): void {
    if (letters >= 3) unit.wordHashes.push(hash);
    unit.tokens += runTokens(letters, digits);
    letters = 0;
    digits = 0;
    hash = 0;
  }

  function endUnit(at: number): void {
    endRun();
    unit.end = at;
    if (unit.visible > 0) units.push(unit);
    unit = emptyUnit(at, paragraph, fenced);
  }

  function endParagraph(at: number): void {
    if (unit.tokens >= shortest || units.length < mostUnits) endUnit(at);
    unit.paragraph = ++paragraph;
  }

  /** Leaves out the line of the fence itself; returns where it ends. */
  function passFence(at: number): number {
    endUnit(at);
    fenced = !fenced;
    paragraph++;
    const lineEnd = text.indexOf('\n', at);
    const end = lineEnd < 0 ? text.length : lineEnd;
    unit = emptyUnit(end, paragraph, fenced);
    return end;
  }

  for (let i = isFence(text, 0) ? passFence(0) : 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (isSpace(code)) {
      endRun();
      inWord = false;
      if (code === newline) {
        if (isFence(text, i + 1)) i = passFence(i + 1) - 1;
        else if (isBlankLine(text, i + 1)) endParagraph(i);
        else if (unit.tokens >= shortest && !goesOn(text, i)) endUnit(i);
      }
      if (unit.tokens > longestUnit) endUnit(i);
      continue;
    }
    unit.visible++;
    if (!inWord) unit.words++;
    inWord = true;
    if (isAsciiLetter(code)) {
      if (digits > 0) endRun();
      letters++;
      unit.letters++;
      hash = Math.imul(hash ^ (code | 32), 0x01000193);
    } else if (isDigit(code)) {
      if (letters > 0) endRun();
      digits++;
    } else {
      endRun();
      unit.tokens++;
      if (isForeign(code)) {
        unit.letters++;
        unit.wordHashes.push(Math.imul(code, 0x9e3779b1));
      }
    }
    const tooLong = letters + digits >= longestRun || unit.tokens >= 2 * longestUnit;
    if (tooLong || (unit.tokens + letters / 5 >= shortest && endsSentence(text, i, code))) endUnit(i + 1);
  }
  endUnit(text.length);
  return units;
}

function emptyUnit(start: number, paragraph: number, fenced: boolean): Unit {
  return { start, end: start, tokens: 0, words: 0, letters: 0, visible: 0, paragraph, fenced, wordHashes: [] };
}

function endsSentence(text: string, at: number, code: number): boolean {
  if (isWideStop(code)) return true;
  return isStop(code) && (at + 1 === text.length || isSpace(text.charCodeAt(at + 1)));
}

function isBlankLine(text: string, start: number): boolean {
  const first = text.charCodeAt(start);
  return first === newline || (first === 13 && text.charCodeAt(start + 1) === newline);
}

function isFence(text: string, start: number): boolean {
  return text.charCodeAt(start) === backtick && text.startsWith('```', start);
}

/** A line that begins with a small letter continues one that ended in a word: prose wrapped at some column. */
function goesOn(text: string, newlineAt: number): boolean {
  const next = text.charCodeAt(newlineAt + 1);
  const last = text.charCodeAt(newlineAt - 1);
  return next >= 97 && next <= 122 && (isAsciiLetter(last) || isDigit(last) || last === 44);
}

/** The letters of a rare word fall into pieces of about this length. */
const lettersPerToken = 5;
const digitsPerToken = 2;

/** About how many tokens a word-piece model makes of a text, rather too many than too few; counts no further than `enough`. */
export function estimateTokens(text: string, enough = Number.POSITIVE_INFINITY): number {
  let tokens = 0;
  let letters = 0;
  let digits = 0;
  for (let i = 0; i <= text.length && tokens <= enough; i++) {
    const code = i < text.length ? text.charCodeAt(i) : space;
    if (isAsciiLetter(code)) letters++;
    else if (isDigit(code)) digits++;
    else {
      tokens += runTokens(letters, digits) + (isSpace(code) ? 0 : 1);
      letters = 0;
      digits = 0;
    }
  }
  return tokens;
}

function runTokens(letters: number, digits: number): number {
  return Math.ceil(letters / lettersPerToken) + Math.ceil(digits / digitsPerToken);
}

const newline = 10;
export const space = 32;

function isAsciiLetter(code: number): boolean {
  return (code | 32) >= 97 && (code | 32) <= 122;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Letters of all other scripts, and whatever else they bring along. */
function isForeign(code: number): boolean {
  return code > 0x7f && !isSpace(code);
}

function isSpace(code: number): boolean {
  if (code <= space) return true;
  return code === 0xa0 || code === 0x3000 || (code >= 0x2000 && code <= 0x200b) || code === 0x2028 || code === 0xfeff;
}

/** Full stop, question and exclamation mark. */
function isStop(code: number): boolean {
  return code === 46 || code === 63 || code === 33;
}

/** The same of the scripts that put no space behind it. */
function isWideStop(code: number): boolean {
  return code === 0x3002 || code === 0xff01 || code === 0xff1f;
}
