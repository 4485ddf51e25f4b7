/** A word (letters, inner hyphens and apostrophes), a run of digits, or any other single character. */
export interface Token {
  type: 'word' | 'number' | 'sign' | 'end';
  text: string;
  from: number;
  to: number;
}

export type Tokens = readonly Token[];

const token = /(\p{L}[\p{L}\p{M}]*(?:['’-]\p{L}[\p{L}\p{M}]*)*)|(\d+)|./gsu;

export function tokenize(text: string): Token[] {
  return [...text.matchAll(token)].map(({ 0: found, 1: word, 2: number, index }) => ({
    type: word ? 'word' : number ? 'number' : 'sign',
    text: found,
    from: index,
    to: index + found.length,
  }));
}

const end: Token = { type: 'end', text: '', from: 0, to: 0 };

/** Returns an empty token beyond either end. */
export function tokenAt(tokens: Tokens, at: number): Token {
  return (at >= 0 ? tokens[at] : undefined) ?? end;
}

/** Matches tokens from an index. Returns the index after the match, or -1. */
export type Rule = (tokens: Tokens, at: number) => number;

export function one(test: (token: Token) => boolean): Rule {
  return (tokens, at) => (test(tokenAt(tokens, at)) ? at + 1 : -1);
}

export function sequence(...rules: readonly Rule[]): Rule {
  return (tokens, at) => {
    let to = at;
    for (const rule of rules) {
      to = rule(tokens, to);
      if (to < 0) return to;
    }
    return to;
  };
}

export function repeated(rule: Rule, fewest: number, most: number): Rule {
  return (tokens, at) => {
    let to = at;
    for (let count = 0; count < most; count++) {
      const next = rule(tokens, to);
      if (next < 0) return count < fewest ? -1 : to;
      to = next;
    }
    return to;
  };
}

export const maybe = (rule: Rule): Rule => repeated(rule, 0, 1);

/** Matches one of several texts, listed with spaces between. */
export function text(listed: string): Rule {
  const texts = new Set(listed.split(' '));
  return one((found) => texts.has(found.text));
}

export const space = one((found) => found.text === ' ');
export const word = one(({ type }) => type === 'word');
export const digits = (fewest: number, most = fewest): Rule =>
  one(({ type, text: { length } }) => type === 'number' && length >= fewest && length <= most);
export const capitals = (fewest: number, most = fewest): Rule =>
  one(({ text: found }) => found.length >= fewest && found.length <= most && isCapitals(found));

export const hasDigit = (found: string): boolean => /\d/.test(found);
export const isDigits = (found: string): boolean => /^\d+$/.test(found);
export const isCapitals = (found: string): boolean => /^[A-Z]+$/.test(found);
export const isCapitalised = (found: string): boolean => /^\p{Lu}/u.test(found);
