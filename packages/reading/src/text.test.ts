import {
  asData,
  clip,
  clipAtLine,
  headAndTail,
  linesOf,
  listed,
  oneLine,
  separateScripts,
  withoutLoneSurrogates,
} from './text.js';

describe('bounded text', () => {
  it('shows that something was cut, and cuts no character in two', () => {
    expect(clip('abcdef', 6)).toBe('abcdef');
    expect(clip('abcdefg', 6)).toBe('abcde…');
    expect(clip('abc   defg', 6)).toBe('abc…');
    expect(clip('abcd😀xyz', 6)).toBe('abcd…');
  });

  it('prefers the end of a line to cut at, where one is near', () => {
    expect(clipAtLine('first line\nsecond line', 16)).toBe('first line\n…');
    expect(clipAtLine('a\nsecond line that is long', 16)).toBe('a\nsecond line t…');
    expect(clipAtLine('short\ntext', 16)).toBe('short\ntext');
  });

  it('puts a text on one line', () => {
    expect(oneLine(' a\r\n\tb  c ')).toBe('a b c');
  });

  it('keeps both ends of a long text', () => {
    expect(headAndTail('abcdefgh', 3, 2)).toBe('abc\ngh');
    expect(headAndTail('abcde', 3, 2)).toBe('abcde');
    expect(headAndTail('ab😀defgh', 3, 2)).toBe('ab\ngh');
  });

  it('keeps the lines that say something, from both ends and bounded', () => {
    expect(linesOf('a\n\n  b\nc\nd\ne', 2)).toEqual(['a', 'b', 'd', 'e']);
    expect(linesOf('a\nb\nc\nd', 2)).toEqual(['a', 'b', 'c', 'd']);
    expect(linesOf('x'.repeat(500), 1)).toEqual(['x'.repeat(400)]);
  });

  it('writes what people read', () => {
    expect(listed(['a', 'b', 'c'])).toBe('a, b and c');
    expect(listed(['a', 'b'], 'or')).toBe('a or b');
    expect(listed(['a'])).toBe('a');
    expect(listed([])).toBe('');
  });
});

describe('what the environment wrote', () => {
  it.each([
    ['control characters', 'a\u0000b\u001b[31mc\u007f\u0085d', 'ab[31mcd'],
    ['what turns the direction', 'a\u202eb\u2066c\u200fd\u061ce', 'abcde'],
    ['tags', 'a\u{e0001}\u{e0069}\u{e007f}b', 'ab'],
    ['what has no width', 'a\u200bb\u200cc\u200dd\u2060e\ufefff', 'abcdef'],
    ['variation selectors', 'a\ufe0fb\u{e0100}c\u{e01ef}d\u180be', 'abcde'],
    ['soft hyphens', 'a\u00adb', 'ab'],
    ['private and unassigned characters', 'a\ue000b\u{f0000}c\u0378d', 'abcd'],
    ['fillers that look like nothing', 'a\u115fb\u3164c\uffa0d\u2800e\u034ff', 'abcdef'],
    ['halves of characters', 'a\ud800b\udc00c', 'abc'],
  ])('loses %s', (_, text, quoted) => {
    expect(asData(text, 100)).toBe(quoted);
  });

  it('has letters that are what they look like', () => {
    expect(asData('ｒｍ －ｒｆ ℌello ﬁle ²', 100)).toBe('rm -rf Hello file 2');
  });

  it('is composed after what stood between has gone', () => {
    expect(asData('e\u200b\u0301', 10)).toBe('é');
  });

  it('is one line of at most the given length, whatever fills it', () => {
    expect(asData('a\n\n# b\r\u2028c\td', 100)).toBe('a # b c d');
    expect(asData('x'.repeat(50), 10)).toBe(`${'x'.repeat(9)}…`);
    expect(asData('\u200b'.repeat(300) + 'x'.repeat(50), 10)).toBe(`${'x'.repeat(9)}…`);
    expect(asData('ﷺ'.repeat(1_000_000), 40).length).toBeLessThanOrEqual(40);
  });

  it('keeps what people of any language write', () => {
    for (const text of [
      'Zugriff verweigert: Größe',
      'доступ запрещён',
      '権限がありません',
      'नमस्ते',
      'ok 👍',
      'a–b “c” …x',
    ])
      expect(asData(text, 100)).toBe(text);
  });
});

it.each([
  ['顧客17の注文AB-9を', '顧客 17 の注文 AB-9 を'],
  ['订单#42', '订单 #42'],
  ['room17b über 3', 'room17b über 3'],
])('separates scripts without spaces from numbers and ids: %s', (text, expected) => {
  expect(separateScripts(text)).toBe(expected);
});

it('leaves halves of characters out wherever they stand, and everything else as it is', () => {
  const cut = '🌱 sow 🌱'.slice(0, -1);

  expect(withoutLoneSurrogates({ title: cut, steps: [`${cut}…`], evidence: [1], run: { judged: true } })).toEqual({
    title: '🌱 sow ',
    steps: ['🌱 sow …'],
    evidence: [1],
    run: { judged: true },
  });
});
