import { withSwaps } from './swap-values.js';

describe('the values of the new task', () => {
  it.each([
    ['wc -l /srv/a.txt', [['/srv/a.txt', '/srv/b.txt']], 'wc -l /srv/b.txt'],
    ['find . -size +10M', [['10', '25']], 'find . -size +25M'],
    ['find . -mtime -7 -ls', [['7', '30']], 'find . -mtime -30 -ls'],
    ["sed -n '7p' f", [['7', '9']], "sed -n '9p' f"],
    ["WHERE city = 'Rome' OR town = 'Rome'", [['Rome', 'Oslo']], "WHERE city = 'Oslo' OR town = 'Oslo'"],
    [
      'cp a.txt b.txt',
      [
        ['a.txt', 'b.txt'],
        ['b.txt', 'c.txt'],
      ],
      'cp b.txt c.txt',
    ],
    ['ls', [], 'ls'],
  ] as [string, [string, string][], string][])('are put in their places: %s', (text, swaps, expected) => {
    expect(withSwaps(text, swaps)).toBe(expected);
  });

  it.each([
    ['it is nowhere to be seen', 'ls -l', [['7', '8']]],
    ['it is a part of another word', 'cat v7x', [['7', '8']]],
    ['it is a part of another number', 'head -c 70', [['7', '8']]],
    ['it stands behind the point', 'sleep 0.7', [['7', '8']]],
    ['it stands before the point', 'sleep 7.5', [['7', '8']]],
    ['it has letters behind it that are no unit', '7zip x', [['7', '8']]],
    ['a short number stands there twice', 'head -1 | cut -f 1', [['1', '8']]],
    ['a word goes on', 'cat Romeo', [['Rome', 'Oslo']]],
    ['a word has begun before', 'cat deRome', [['Rome', 'Oslo']]],
    ['it would end a quotation', "grep 'foo'", [['foo', "it's"]]],
    ['it would begin another command', 'grep foo', [['foo', 'a;b']]],
    [
      'two overlap',
      'cat /srv/a',
      [
        ['/srv', '/x'],
        ['/srv/a', '/y'],
      ],
    ],
  ] as [string, string, [string, string][]][])('are not guessed where %s', (_, text, swaps) => {
    expect(withSwaps(text, swaps)).toBeUndefined();
  });
});
