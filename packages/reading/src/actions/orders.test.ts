import { isBrokenCommand, isCommandLine, isTalk, readBracketedLines, readKeyedLines, readOrder } from './orders.js';

describe('readOrder', () => {
  it.each([
    ['open crate 2', 'open', ['crate', '2']],
    ['sow leek 3 deep', 'sow', ['leek', '3', 'deep']],
    ['put leek in crate', 'put', ['leek', 'in', 'crate']],
    ['water_bed north', 'water_bed', ['north']],
    ['take leek', 'take', ['leek']],
    ['search_dir "two words" src', 'search_dir', ['two words', 'src']],
    ['click [12]', 'click', ['12']],
    ['type [3] [two words][1]', 'type', ['3', 'two words', '1']],
  ])('reads %j', (text, verb, words) => {
    expect(readOrder(text)).toEqual({ verb, args: Object.fromEntries(words.entries()) });
  });

  it.each(['to', 'from', 'in', 'into', 'on', 'onto', 'with', 'at', 'under', 'up', 'off'])(
    'sees the place by “%s”',
    (word) => {
      expect(readOrder(`heave leek ${word} crate`)?.verb).toBe('heave');
      expect(readOrder(`heave ${word} crate`)?.verb).toBe('heave');
      expect(readOrder(`heave ${word}`)).toBeUndefined();
    },
  );

  it.each([
    'look',
    'green leek',
    'option 2',
    'about 20 beds',
    'Open crate 2',
    'open crate 2.',
    'open crate 2, please',
    'the crate in bed 2',
    'put it in crate',
    'Note [1]',
    'a'.repeat(201),
    `go ${'on '.repeat(17)}`.trim(),
  ])('leaves %j', (text) => {
    expect(readOrder(text)).toBeUndefined();
  });
});

describe('readKeyedLines', () => {
  it.each([
    ['set_lamp room=attic level=3', [{ verb: 'set_lamp', args: { room: 'attic', level: '3' } }]],
    ['setLamp room="the attic"', [{ verb: 'setLamp', args: { room: 'the attic' } }]],
    [
      'get_lamp id=7\nset_lamp id=7 on=no',
      [
        { verb: 'get_lamp', args: { id: '7' } },
        { verb: 'set_lamp', args: { id: '7', on: 'no' } },
      ],
    ],
  ])('reads %j', (text, orders) => {
    expect(readKeyedLines(text)).toEqual(orders.map((order, at) => ({ ...order, text: text.split('\n')[at] })));
  });

  it.each([
    'make target=all',
    'pg_dump host=a',
    'set_lamp attic',
    'set_lamp room=attic | tee a',
    'set_lamp room=$(pwd)',
    'set_lamp room=attic\nthen wait',
    'A_B=1 run',
  ])('leaves %j', (text) => {
    expect(readKeyedLines(text)).toEqual([]);
  });
});

describe('readBracketedLines', () => {
  it.each([
    ['search[green tea]', 'green tea', 'search[green tea]'],
    ['search[a [1] b]\nObservation: c', 'a [1] b', 'search[a [1] b]'],
    ['search[green', 'green', 'search[green'],
    ['search[a\nb]', 'a\nb', 'search[a\nb]'],
  ])('reads %j', (text, given, kept) => {
    expect(readBracketedLines(text)[0]).toEqual({ verb: 'search', args: { 0: given }, text: kept });
  });

  it('reads calls on lines of their own', () => {
    expect(readBracketedLines('look[a]\n\ndrop[b]').map(({ text }) => text)).toEqual(['look[a]', 'drop[b]']);
  });

  it('reads an order without anything', () => {
    expect(readBracketedLines('look[]')).toEqual([{ verb: 'look', args: {}, text: 'look[]' }]);
  });

  it.each(['search [green tea]', 'search[a] and more', '[a]', 'two words[a]'])('leaves %j', (text) => {
    expect(readBracketedLines(text)).toEqual([]);
  });
});

describe('isTalk', () => {
  it.each('i im ive ill you your youre we our us he she they it its this that these those there my me mine'.split(' '))(
    'is about persons and things: %s',
    (word) => {
      expect(isTalk(`water ${word} now`)).toBe(true);
      expect(isTalk(`water ${word} --now`)).toBe(false);
    },
  );

  it.each(
    'the a an yes no not and or but so ok okay hi hello hey thanks thank please sorry sure well very what who where when why how is are was were do does did can could would should will if as for to of in on at'.split(
      ' ',
    ),
  )('begins with %s', (word) => {
    expect(isTalk(`${word} leek`)).toBe(true);
    expect(isTalk(`${word} ./leek`)).toBe(false);
  });

  it.each([
    'watering beds now.',
    'water which bed?',
    'watering beds now!',
    'beds to water:',
    'watering beds now,',
    'we water it “now”.',
    '水やり は 終わりました。',
    'él riega mañana',
    'Water beds',
  ])('is %j', (text) => {
    expect(isTalk(text)).toBe(true);
  });

  it.each(['git add .', 'which python', 'cd ..', 'frobnicate north', 'water leek', 'Get-Item a'])(
    'is not %j',
    (text) => {
      expect(isTalk(text)).toBe(false);
    },
  );
});

describe('commands by their looks', () => {
  it.each(['bedctl sow 12 --force', './sow -x', 'bedctl --row=7 sow', '../bin/sow -v'])('%j has options', (text) => {
    expect(isCommandLine(text, false)).toBe(true);
  });

  it.each(['bedctl sow 12', './sow', '~/bin/sow', 'bin/sow'])('%j is one in a shell', (text) => {
    expect(isCommandLine(text, true)).toBe(true);
    expect(isCommandLine(text, false)).toBe(false);
  });

  it.each([
    'sow',
    'I sow them -- now',
    'Sow the leeks.',
    'sow them here please',
    'a -b\nc',
    `a -b ${'c'.repeat(2_000)}`,
  ])('%j is none', (text) => {
    expect(isCommandLine(text, false)).toBe(false);
  });

  it.each([
    'for bed in *; do sow "$bed" done',
    'sow -x output.',
    'x=`sow',
    '$(sow',
    '(sow | count',
    '{ sow; ',
    '# sow them\nsow -x',
    '"$SOW" now',
    '! sow -x',
    '`sow -x',
    'sow && ',
    'sow > ',
  ])('%j is a broken one', (text) => {
    expect(isBrokenCommand(text)).toBe(true);
    expect(isCommandLine(text, true)).toBe(true);
  });

  it.each(['Sow -x', 'sow beds', 'so you sow; fine', 'so we sow; fine', 'so it grows; fine', 'see the bed; fine'])(
    '%j is not even that',
    (text) => {
      expect(isBrokenCommand(text)).toBe(false);
    },
  );
});
