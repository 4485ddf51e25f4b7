import { rankByWords } from './insight-search.js';

const ranked = (question: string, candidates: Record<string, string>) =>
  rankByWords(
    question.split(' '),
    Object.entries(candidates).map(([id, words]) => ({ id, words })),
  ).map(({ id }) => id);

describe('ranking candidates by words', () => {
  it('prefers rare shared words, then short candidates', () => {
    const texts = { a: 'list the files', b: 'list the processes', c: 'list the files of a folder', d: 'the processes' };
    expect(ranked('which files', { ...texts, e: 'the files' })).toEqual(['e', 'a', 'c']);
    expect(ranked('the folder', texts)[0]).toBe('c');
  });

  it('breaks ties by id', () => {
    expect(ranked('x', { c: 'x y', a: 'x y', b: 'x z' })).toEqual(['a', 'b', 'c']);
  });

  it('does not depend on the order of candidates', () => {
    const texts = { a: 'x y z', b: 'x x', c: 'y', d: 'x y' };
    const reversed = Object.fromEntries(Object.entries(texts).reverse());
    expect(ranked('x y', texts)).toEqual(ranked('x y', reversed));
  });

  it('drops candidates without any of the words', () => {
    expect(ranked('x', { a: 'y', b: '' })).toEqual([]);
    expect(ranked('x', {})).toEqual([]);
  });
});
