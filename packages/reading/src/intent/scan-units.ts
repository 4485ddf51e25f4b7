/** A sentence, a line or a few short ones: kept or dropped as a whole. */
export interface Unit {
  /** Offsets in the text. */
  start: number;
  end: number;
  tokens: number;
  words: number;
  letters: number;
  visible: number;
  /** Paragraph number; blank lines and code fences separate paragraphs. */
  paragraph: number;
  /** Inside a fenced code block. */
  fenced: boolean;
  /** Hashes of words with at least three letters; numbers are skipped, so that log lines look alike. */
  wordHashes: number[];
}

const maxUnitTokens = 60;
const minUnitTokens = 4;
/** Long texts are cut into larger units, to stay near this number. */
const maxUnits = 4_000;
/** Longer runs are not words; they are cut here. */
const maxRunLength = 200;
const backtick = 96;

/** Splits a text into units in one pass: at sentence ends, at line ends, and where a unit grows too long. */
export function scanUnits(text: string): Unit[] {
  const minTokens = Math.min(maxUnitTokens / 3, Math.max(minUnitTokens, text.length / 4 / maxUnits));
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
    if (unit.tokens >= minTokens || units.length < maxUnits) endUnit(at);
    unit.paragraph = ++paragraph;
  }

  /** Skips the fence line; returns where it ends. */
  function skipFence(at: number): number {
    endUnit(at);
    fenced = !fenced;
    paragraph++;
    const lineEnd = text.indexOf('\n', at);
    const end = lineEnd < 0 ? text.length : lineEnd;
    unit = emptyUnit(end, paragraph, fenced);
    return end;
  }

  for (let i = isFence(text, 0) ? skipFence(0) : 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (isSpace(code)) {
      endRun();
      inWord = false;
      if (code === newline) {
        if (isFence(text, i + 1)) i = skipFence(i + 1) - 1;
        else if (isBlankLine(text, i + 1)) endParagraph(i);
        else if (unit.tokens >= minTokens && !continuesLine(text, i)) endUnit(i);
      }
      if (unit.tokens > maxUnitTokens) endUnit(i);
      continue;
    }
    unit.visible++;
    if (!inWord) unit.words++;
    inWord = true;
    if (isAsciiLetter(code)) {
      if (digits > 0) endRun();
      const end = unit.tokens < 2 * maxUnitTokens ? endOfLetters(text, i, maxRunLength - letters) : i + 1;
      letters += end - i;
      unit.letters += end - i;
      unit.visible += end - i - 1;
      hash = hashOf(text, i, end, hash);
      i = end - 1;
    } else if (isDigit(code)) {
      if (letters > 0) endRun();
      digits++;
    } else {
      endRun();
      unit.tokens++;
      if (isNonAscii(code)) {
        unit.letters++;
        unit.wordHashes.push(Math.imul(code, 0x9e3779b1));
      }
    }
    const tooLong = letters + digits >= maxRunLength || unit.tokens >= 2 * maxUnitTokens;
    if (tooLong || (unit.tokens + letters / 5 >= minTokens && endsSentence(text, i, code))) endUnit(i + 1);
  }
  endUnit(text.length);
  return units;
}

/** Where the letters that begin at `start` end; one and at most `most`. */
function endOfLetters(text: string, start: number, most: number): number {
  const limit = Math.min(text.length, start + most);
  let at = start + 1;
  while (at < limit && isAsciiLetter(text.charCodeAt(at))) at++;
  return at;
}

/** Goes on from `hash`. */
function hashOf(text: string, start: number, end: number, hash: number): number {
  let found = hash;
  for (let at = start; at < end; at++) found = Math.imul(found ^ (text.charCodeAt(at) | 32), 0x01000193);
  return found;
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

/** Wrapped prose: a line that starts with a lower-case letter continues the previous one. */
function continuesLine(text: string, newlineAt: number): boolean {
  const next = text.charCodeAt(newlineAt + 1);
  const last = text.charCodeAt(newlineAt - 1);
  return next >= 97 && next <= 122 && (isAsciiLetter(last) || isDigit(last) || last === 44);
}

/** Average length of the pieces a rare word is split into. */
const lettersPerToken = 5;
const digitsPerToken = 2;

/** Estimates the tokens of a word-piece model, erring on the high side; stops counting beyond `limit`. */
export function estimateTokens(text: string, limit = Number.POSITIVE_INFINITY): number {
  let tokens = 0;
  let letters = 0;
  let digits = 0;
  for (let i = 0; i <= text.length && tokens <= limit; i++) {
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

/** Letters and symbols outside ASCII. */
function isNonAscii(code: number): boolean {
  return code > 0x7f && !isSpace(code);
}

function isSpace(code: number): boolean {
  if (code <= space) return true;
  return code === 0xa0 || code === 0x3000 || (code >= 0x2000 && code <= 0x200b) || code === 0x2028 || code === 0xfeff;
}

/** `.`, `?` or `!`. */
function isStop(code: number): boolean {
  return code === 46 || code === 63 || code === 33;
}

/** `。`, `！` or `？`: no space follows these. */
function isWideStop(code: number): boolean {
  return code === 0x3002 || code === 0xff01 || code === 0xff1f;
}
