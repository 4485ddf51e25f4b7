import { isAsciiLetter, isDigit, isSpace, space } from './characters.js';

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

export function runTokens(letters: number, digits: number): number {
  return Math.ceil(letters / lettersPerToken) + Math.ceil(digits / digitsPerToken);
}
