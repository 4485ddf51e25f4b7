import { randomNumbers } from '@whetstone/platform/test-kit';

import { kthLargest, TopK } from './top-k.js';

const random = randomNumbers(3);
/** Few distinct scores, so that many are equal. */
const entries = Array.from({ length: 500 }, (_, n) => ({ score: Math.floor(random() * 20) / 20, key: `key-${n}` }));

describe('TopK', () => {
  it.each([1, 2, 7, 100, 500, 1_000])('keeps the best %d, ties by key, in any order of arrival', (limit) => {
    const expected = entries.toSorted((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1)).slice(0, limit);
    for (const order of [entries, entries.toReversed()]) {
      const top = new TopK(limit);
      for (const entry of order) if (entry.score >= top.floor) top.offer(entry);
      expect(top.best()).toEqual(expected);
    }
  });

  it('keeps nothing with a limit of 0', () => {
    const top = new TopK(0);
    top.offer({ score: 1, key: 'a' });
    expect(top.best()).toEqual([]);
  });
});

describe('kthLargest', () => {
  it.each([1, 2, 7, 100, 500])('agrees with sorting, for k = %d', (k) => {
    const values = Float32Array.from(entries, ({ score }) => score);
    expect(kthLargest(values, k)).toBe(values.toSorted().at(-k));
  });

  it('is -Infinity for fewer values', () => {
    expect(kthLargest(Float32Array.of(1, 2), 3)).toBe(Number.NEGATIVE_INFINITY);
  });
});
