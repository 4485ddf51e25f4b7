const k1 = 1.2;
const b = 0.75;

/** The usual weighing of words: rare ones count more, repeated and surrounded ones less. */
export function createBm25(texts: readonly string[]): (query: string) => number[] {
  const documents = texts.map((text) => countsOf(wordsOf(text)));
  const lengths = documents.map((counts) => [...counts.values()].reduce((sum, count) => sum + count, 0));
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, texts.length);
  const holders = new Map<string, number>();
  for (const counts of documents) for (const word of counts.keys()) holders.set(word, (holders.get(word) ?? 0) + 1);
  return (query) => {
    const words = new Set(wordsOf(query));
    return documents.map((counts, index) => {
      let score = 0;
      for (const word of words) {
        const count = counts.get(word) ?? 0;
        if (count === 0) continue;
        const held = holders.get(word) as number;
        const rarity = Math.log(1 + (texts.length - held + 0.5) / (held + 0.5));
        score += (rarity * count * (k1 + 1)) / (count + k1 * (1 - b + (b * (lengths[index] as number)) / meanLength));
      }
      return score;
    });
  };
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function countsOf(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
