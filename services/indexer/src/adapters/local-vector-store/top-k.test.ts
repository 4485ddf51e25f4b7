import { randomNumbers } from '@whetstone/platform/test-kit';

import { Candidates, TopK } from './top-k.js';

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

describe('Candidates', () => {
  const scores = entries.map(({ score }) => score);
  const orders = {
    random: scores,
    rising: scores.toSorted((a, b) => a - b),
    falling: scores.toSorted((a, b) => b - a),
  };

  it.each(
    Object.entries(orders).flatMap(([name, values]) => [1, 7, 100, 500, 600].map((limit) => ({ name, limit, values }))),
  )('are those that may be among the best $limit, offered in $name order', ({ limit, values }) => {
    const candidates = new Candidates(limit);
    for (const [slot, value] of values.entries()) candidates.offer(slot, value - 0.02, value + 0.02);
    const floor = values.length < limit ? 0 : (values.toSorted((a, b) => b - a)[limit - 1] as number);
    const expected = values.flatMap((value, slot) => (value + 0.02 >= floor - 0.02 ? slot : []));
    expect(candidates.slots()).toEqual(expected);
  });

  it('leave out NaN, and are none with a limit of 0', () => {
    const [all, none] = [new Candidates(2), new Candidates(0)];
    for (const candidates of [all, none]) {
      candidates.offer(0, Number.NaN, Number.NaN);
      candidates.offer(1, 0.1, 0.2);
    }
    expect([all.slots(), none.slots()]).toEqual([[1], []]);
  });
});
