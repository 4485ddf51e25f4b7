import { meaningWords, prepare, synonyms } from './task-words.js';

const wordsOf = (text: string) => [...meaningWords(text)].sort();

describe('synonyms', () => {
  it.each(synonyms.map((row) => [row.words.join(), row] as const))(
    'become the same word, and no others do: %s',
    (_, { same, other, words }) => {
      expect(wordsOf(same[0])).toEqual(wordsOf(same[1]));
      expect(wordsOf(other)).not.toEqual(wordsOf(same[0]));
      for (const word of words) expect(wordsOf(`${word} things`)).toEqual(wordsOf(`${words[0]} things`));
    },
  );

  it.each([
    ['Removed files', 'Delete files'],
    ['All directories', 'The folders'],
  ])('become the same word with endings: %s', (one, other) => {
    expect(wordsOf(one)).toEqual(wordsOf(other));
  });

  it('match whole words only', () => {
    expect(wordsOf('The unlisted one')).not.toEqual(wordsOf('The unprinted one'));
  });
});

describe('the verb of a task', () => {
  it.each([
    ['Delete the notes', 'delete'],
    ['Recursively delete the notes', 'delete'],
    ['Apply the plan', 'apply'],
    ['Reply to the mail', 'reply'],
    ['The plan is to be applied', ''],
  ])('is its first word that carries meaning: %s', (task, verb) => {
    expect(prepare(task).verb).toBe(wordsOf(verb)[0]);
  });
});

describe('another language', () => {
  it.each([
    ['Lösche Nutzer 77', true],
    ['Cancela el pedido 7', true],
    ['Refund the order of Ludwig von Berg', false],
    ['Translate the word café for the menu', false],
    ['Refund order 7', false],
  ])('is told by small words and letters: %s', (text, isForeign) => {
    expect(prepare(text).isForeign).toBe(isForeign);
  });
});
