import { alternativesOf, entriesOf, type Span } from './alternatives.js';

const without = (text: string, spans: Span[]) =>
  spans.map(({ from, to }) => text.slice(0, from) + text.slice(to)).sort();

describe('alternativesOf', () => {
  it.each([
    ['a|bc|d', ['a|bc', 'a|d', 'bc|d']],
    ['x(?:a|b)y', ['x(?:a)y', 'x(?:b)y']],
    ['(?<name>a|b(?:c|d))', ['(?<name>a)', '(?<name>a|b(?:c))', '(?<name>a|b(?:d))', '(?<name>b(?:c|d))']],
    ['[a|b]\\|c', []],
    ['plain', []],
  ])('deletes one of the alternatives of %s', (pattern, left) => {
    expect(without(pattern, alternativesOf(pattern))).toEqual(left);
  });

  it('sees through backslashes that a string doubles', () => {
    expect(without('a\\\\|b|c', alternativesOf('a\\\\|b|c', '\\\\'))).toEqual(['a\\\\|b', 'c']);
  });

  it('leaves alone what is cut off by a part put in', () => {
    expect(alternativesOf('a|b)c|d')).toEqual([]);
    expect(without('(a|b)|(', alternativesOf('(a|b)|('))).toEqual(['(a)|(', '(b)|(']);
  });
});

describe('entriesOf', () => {
  it('deletes an entry with one separator', () => {
    expect(without('one two three ', entriesOf('one two three ', ' '))).toEqual([
      'one three ',
      'one two ',
      'two three ',
    ]);
    expect(without('back up, zip', entriesOf('back up, zip', ', '))).toEqual(['back up', 'zip']);
    expect(entriesOf('alone', ' ')).toEqual([]);
  });
});
