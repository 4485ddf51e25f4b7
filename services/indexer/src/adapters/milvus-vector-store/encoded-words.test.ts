import fc from 'fast-check';

import { splitWords } from '../../domain/words.js';
import { encodeWords, queryWords } from './encoded-words.js';

describe('encoded words', () => {
  it('are as many as the text has, of letters and digits only, equal where the words are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const words = splitWords(text);
        const encoded = encodeWords(text, 1_000_000).split(' ').filter(Boolean);
        expect(encoded).toHaveLength(words.length);
        expect(new Set(encoded).size).toBe(new Set(words).size);
        for (const token of encoded) expect(token).toMatch(/^[a-z0-9]+$/);
      }),
    );
  });

  it('of options, names and scripts without spaces are found as the local store finds them', () => {
    const document = encodeWords('find --max-depth=2 file_name 漢字検索', 1_000).split(' ');
    for (const question of ['--max', 'name', 'file_name', '字検', 'FIND']) {
      const words = queryWords(question, 10);
      expect({ question, found: words.some((word) => document.includes(word)) }).toEqual({ question, found: true });
    }
  });

  it('fit, and lose none of their letters for it', () => {
    expect(encodeWords('alpha beta gamma', 10)).toBe('alpha beta');
    expect(encodeWords('alpha beta gamma', 9)).toBe('alpha');
    expect(encodeWords('漢字'.repeat(30_000), 65_535).length).toBeLessThanOrEqual(65_535);
  });

  it('of a question are distinct, and not too many', () => {
    expect(queryWords('table '.repeat(5_000), 10)).toEqual(['table']);
    expect(queryWords('a b c d', 2)).toEqual(['a', 'b']);
    expect(queryWords('\0 "', 2)).toEqual([]);
  });
});
