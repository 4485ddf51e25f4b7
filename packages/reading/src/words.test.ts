import { agree, contentWords, countContentWords, inDigits, isStopWord, jaccard, sharedWords } from './words.js';

const once = (words: Iterable<string>) => new Map([...words].map((word) => [word, 1] as const));

describe('the words that carry the meaning', () => {
  it('are told without their endings, and without those that every task has', () => {
    expect([...contentWords('Please list the Files that were created or listed')]).toEqual(['list', 'fil', 'creat']);
    expect(contentWords('filing filers filed files file')).toEqual(new Set(['fil']));
    expect(contentWords('quickly quick rotations rotation rotate')).toEqual(new Set(['quick', 'rot', 'rotat']));
    expect(contentWords('ids id')).toEqual(new Set(['id']));
  });

  it.each(
    (
      'two:2 three:3 four:4 five:5 six:6 seven:7 eight:8 nine:9 ten:10 eleven:11 twelve:12 thirteen:13 fourteen:14 fifteen:15 ' +
      'sixteen:16 seventeen:17 eighteen:18 nineteen:19 twenty:20 thirty:30 forty:40 fifty:50 sixty:60 seventy:70 eighty:80 ninety:90'
    )
      .split(' ')
      .map((pair) => pair.split(':') as [string, string]),
  )('%s hours are %s hours', (word, digits) => {
    expect(contentWords(`wait ${word} hours`)).toEqual(contentWords(`wait ${digits} hours`));
    expect(inDigits(word)).toBe(digits);
  });

  it('tell one number from another', () => {
    expect(
      agree(
        countContentWords('Keep the last 3 backups of the shop'),
        countContentWords('Keep the last 4 backups of the shop'),
      ),
    ).toBe(false);
  });

  it('are read in any language, in either form of a letter', () => {
    expect(contentWords('Gro\u0308ße')).toEqual(contentWords('Größe'));
    expect(contentWords('हिन्दी').size).toBe(1);
  });

  it('are looked for in the beginning only', () => {
    expect(contentWords(`${'x '.repeat(2_000)}late`).has('lat')).toBe(false);
  });

  it('are no stop words', () => {
    expect([isStopWord('the'), isStopWord('table')]).toEqual([true, false]);
  });
});

describe('nearness of words', () => {
  const few = new Set(['a', 'b', 'c', 'd']);
  const more = new Set(['a', 'b', 'c', 'd', 'e']);
  const others = new Set(['a', 'b', 'c', 'd', 'x', 'y']);

  it('is what both share', () => {
    expect(sharedWords(few, new Set(['b', 'x']))).toBe(1);
    expect(sharedWords(new Set(['b', 'x']), few)).toBe(1);
    expect(jaccard(few, more)).toBe(0.8);
    expect(jaccard(new Set(), new Set())).toBe(0);
  });

  it('makes tasks one where the words of one are nearly all of the other', () => {
    expect(agree(once(few), once(more))).toBe(true);
    expect(agree(once(more), once(few))).toBe(true);
    expect(agree(once(few), once(others))).toBe(false);
    expect(agree(once([...few, 'f', 'g', 'h', 'i', 'x']), once([...few, 'f', 'g', 'h', 'i', 'y']))).toBe(false);
    expect(agree(new Map([...once(few), ['a', 2]]), once(more))).toBe(false);
  });
});
