import {
  isContent,
  isGeneric,
  isJoin,
  isLink,
  phraseBefore,
  phraseFrom,
  stemOfWritten,
  taskWords,
} from './task-words.js';

const one = (word: string) => taskWords(word)[0]!;

describe('a word of a task', () => {
  it.each(
    'the of der die das den dem des ein eine einen einer und oder le la les un une et ou el los las una y o i il lo gli e os um uma ne se qui que'.split(
      ' ',
    ),
  )('"%s" says nothing', (word) => {
    expect(isContent(one(word))).toBe(false);
  });

  it.each(['table', 'löschen', '"the"', '/a', 'b'])('%j says something', (word) => {
    expect(isContent(one(word))).toBe(true);
  });

  it.each(
    (
      'from to into onto -> in on at under inside within for with by using via as when while before after until where if so ' +
      'because then but that which who nach von mit zu aus für unter im vom avec dans pour vers depuis con para por desde hasta en'
    ).split(' '),
  )('"%s" begins another part of the sentence', (word) => {
    expect(isLink(one(word))).toBe(true);
    expect(isLink(one(`"${word}"`))).toBe(false);
  });

  it.each('and nor und oder et ou y o e ni'.split(' '))('"%s" joins', (word) => {
    expect(isJoin(one(word))).toBe(true);
    expect(isJoin(one(`"${word}"`))).toBe(false);
  });

  it.each(
    'file files folder directories thing one item line row record entry rest everything anything every else Datei alles tout todo tutto'.split(
      ' ',
    ),
  )('"%s" says that there are things, not which', (word) => {
    expect(isGeneric(stemOfWritten(word))).toBe(true);
    expect(isGeneric(stemOfWritten('table'))).toBe(false);
  });
});

describe('a phrase', () => {
  const words = taskWords('copy the red files in /srv, then print b');

  it('goes to the next part or to the end of the clause', () => {
    expect(phraseFrom(words, 1, { most: 9 })).toEqual({ stems: new Set(['red', 'fil']), end: 4 });
    expect(phraseFrom(words, 3, { most: 9, overLinks: true })).toEqual({ stems: new Set(['fil', '/srv']), end: 6 });
    expect(phraseFrom(words, 2, { most: 9, overLinks: true }).stems).toEqual(new Set(['red', 'fil']));
    expect(phraseFrom(words, 0, { most: 9, endsAt: (at) => at === 2 }).stems).toEqual(new Set(['copy']));
    expect(phraseFrom(words, 0, { most: 3 }).stems).toEqual(new Set(['copy', 'red']));
  });

  it('is looked for backwards as well', () => {
    expect(phraseBefore(words, 4, 9).stems).toEqual(new Set(['fil', 'red', 'copy']));
    expect(phraseBefore(words, 4, 2).stems).toEqual(new Set(['fil', 'red']));
    expect(phraseBefore(words, 6, 9).stems).toEqual(new Set());
    expect(phraseBefore(words, 6, 9, true).stems).toEqual(new Set(['/srv']));
    expect(phraseBefore(words, 9, 1).stems).toEqual(new Set(['b']));
  });

  it('takes a letter that nothing follows for a name', () => {
    expect(phraseFrom(taskWords('to a'), 1, { most: 3 }).stems).toEqual(new Set(['a']));
    expect(phraseFrom(taskWords('to a house'), 1, { most: 3 }).stems).toEqual(new Set(['hous']));
  });
});

describe('the words of a task', () => {
  it('are values where they are quoted, paths, identifiers, numbers or options', () => {
    const text = `Print "a b" of 'c' /srv/x a_b a.txt .env *.log k=v --all $HOME #1 @x 12 twelve camelCase <tag> 50% C:\\x ~x a+b x^2 a|b plain end.`;
    const values = taskWords(text).filter(({ isValue }) => isValue);

    expect(values.map(({ word }) => word)).toEqual([
      'a b',
      'c',
      '/srv/x',
      'a_b',
      'a.txt',
      '.env',
      '*.log',
      'k=v',
      '--all',
      '$home',
      '#1',
      '@x',
      '12',
      '12',
      'camelcase',
      '<tag>',
      '50%',
      'c:\\x',
      '~x',
      'a+b',
      'x^2',
      'a|b',
    ]);
  });

  it.each(['"a b"', "'a b'", '„a b“', '“a b”', '«a b»', '‘a b’', '`a b`'])('are one value in quotes: %s', (quoted) => {
    expect(taskWords(`Open ${quoted} now`)[1]).toMatchObject({ word: 'a b', isValue: true });
  });

  it.each([
    ["don't can't cannot it's I'm l'accès user's", 'do not ca not can not it i acces user'],
    ['well-known read—only Ärger Straße', 'well known read only arger strasse'],
    ['a -> b => c → d', 'a -> b -> c -> d'],
    ["'tis the users' “x", 'tis the users x'],
  ])('%j are %j', (text, words) => {
    expect(
      taskWords(text)
        .map(({ word }) => word)
        .join(' '),
    ).toBe(words);
  });

  it('end a clause at a mark or a line', () => {
    expect(
      taskWords('a, b; c. d: e! f? (g) h\ni “j” k。l')
        .map(({ ends }) => (ends ? 1 : 0))
        .join(''),
    ).toBe('111111110010');
  });

  it.each([
    ['delete deletes deleted deleting deletion deletions', 'delet'],
    ['stop stops stopped stopping', 'stop'],
    ['deny denies denied', 'deny'],
    ['install installs installed installation', 'instal'],
    ['activate activates activation activating', 'activ'],
    ['pass passed passing', 'pass'],
    ['create created creation', 'creat'],
    ['behalten behalte', 'behalt'],
    ['supprimer supprime', 'supprim'],
    ['listings listing list', 'list'],
  ])('%j have one stem', (words, stem) => {
    for (const word of words.split(' ')) expect(stemOfWritten(word)).toBe(stem);
  });
});
