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
  ] as [string, [string, string][], string][])('are filled in: %s', (text, swaps, expected) => {
    expect(withSwaps(text, swaps)).toBe(expected);
  });

  it.each([
    ['it does not occur', 'ls -l', [['7', '8']]],
    ['it is part of another word', 'cat v7x', [['7', '8']]],
    ['it is part of another number', 'head -c 70', [['7', '8']]],
    ['it follows a decimal point', 'sleep 0.7', [['7', '8']]],
    ['it precedes a decimal point', 'sleep 7.5', [['7', '8']]],
    ['letters that are no unit follow it', '7zip x', [['7', '8']]],
    ['a short number occurs twice', 'head -1 | cut -f 1', [['1', '8']]],
    ['the word continues', 'cat Romeo', [['Rome', 'Oslo']]],
    ['the word started earlier', 'cat deRome', [['Rome', 'Oslo']]],
    ['it would end a quotation', "grep 'foo'", [['foo', "it's"]]],
    ['it would start another command', 'grep foo', [['foo', 'a;b']]],
    [
      'two overlap',
      'cat /srv/a',
      [
        ['/srv', '/x'],
        ['/srv/a', '/y'],
      ],
    ],
  ] as [string, string, [string, string][]][])('are not filled in if %s', (_, text, swaps) => {
    expect(withSwaps(text, swaps)).toBeUndefined();
  });
});
