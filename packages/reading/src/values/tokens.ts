/** A word (letters, with hyphens and apostrophes inside), a run of digits, or any other single character. */
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

/** Beyond either end of the text stands an empty token. */
export function tokenAt(tokens: Tokens, at: number): Token {
  return tokens[at] ?? { type: 'end', text: '', from: 0, to: 0 };
}

/** Reads tokens from a place on. Returns the place behind them, or -1 where they are not what the rule describes. */
export type Rule = (tokens: Tokens, at: number) => number;

export function one(test: (token: Token) => boolean): Rule {
  return (tokens, at) => (test(tokenAt(tokens, at)) ? at + 1 : -1);
}

export function sequence(...rules: readonly Rule[]): Rule {
  return (tokens, at) => rules.reduce((to, rule) => (to < 0 ? to : rule(tokens, to)), at);
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

/** One of these texts, which a space separates. */
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
