export interface FoundValue {
  /** Its beginning: enough to judge it by. */
  value: string;
  from: number;
  to: number;
  isQuoted: boolean;
  endsLine: boolean;
}

export interface ValueReader {
  at(start: number): FoundValue;
}

const longestJudged = 256;
const longestQuoted = 4096;
const opening = /\\{0,7}["'`]/y;
const wordEnds = new Set([...' \t\r\n"\'`,;&|<>()[]{}\\'].map((letter) => letter.charCodeAt(0)));

/** Reads values of assignments out of a text: up to the closing quote, or up to what ends a word in shells, addresses and code. */
export function createValueReader(text: string): ValueReader {
  // Where the last word that was read ends. Values may begin inside of it, many times; its end is looked for once.
  let wordEnd = 0;

  function endOfWord(from: number): number {
    if (from < wordEnd) return wordEnd;
    let to = from;
    while (to < text.length && !wordEnds.has(text.charCodeAt(to))) to += 1;
    wordEnd = to;
    return to;
  }

  function endOfQuoted(from: number, quote: string): number {
    const limit = Math.min(text.length, from + longestQuoted);
    let to = from;
    while (to < limit && !isClosing(to, quote)) to += 1;
    return to;
  }

  function isClosing(at: number, quote: string): boolean {
    const code = text.charCodeAt(at);
    if (code === 10 || code === 13) return true;
    return text.startsWith(quote, at) && (quote.length > 1 || text[at - 1] !== '\\');
  }

  return {
    at(start) {
      opening.lastIndex = start;
      const [quote = ''] = opening.exec(text) ?? [];
      const from = start + quote.length;
      const to = quote ? endOfQuoted(from, quote) : endOfWord(from);
      const after = text[to];
      return {
        value: text.slice(from, Math.min(to, from + longestJudged)),
        from,
        to,
        isQuoted: quote !== '',
        endsLine: after === undefined || after === '\n' || after === '\r',
      };
    },
  };
}
