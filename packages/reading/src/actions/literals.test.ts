import {
  argumentsOf,
  deepest,
  isCallLiteral,
  isTooDeep,
  literalAt,
  readCutLiteral,
  readLiteral,
  readPairs,
  writeLiteral,
} from './literals.js';

describe('readLiteral', () => {
  it.each<[string, unknown]>([
    ['{"a": [1, 2.5, -3e2, true, false, null]}', { a: [1, 2.5, -300, true, false, null] }],
    ["{'a': True, 'b': False, 'c': None,}", { a: true, b: false, c: null }],
    ['{a: undefined, $b_1: .5, "c-d": +4, e-f: 1}', { a: null, $b_1: 0.5, 'c-d': 4, 'e-f': 1 }],
    ['{1: "a", 2: "b"}', { 1: 'a', 2: 'b' }],
    ['{}', {}],
    ['[]', []],
    ['()', []],
    ['(1,)', [1]],
    ['(1)', 1],
    ['(1, (2, 3))', [1, [2, 3]]],
    ['{"a", "b"}', ['a', 'b']],
    ['{1, 2}', [1, 2]],
    ['{f(1), 2}', [{ call: 'f', args: { 0: 1 } }, 2]],
    ['"a\\n\\t\\r\\b\\f\\"\\\\\\/"', 'a\n\t\r\b\f"\\/'],
    ["'it\\'s'", "it's"],
    ['"\\u00e9\\x41\\u{1F331}\\U0001F331"', 'éA🌱🌱'],
    ['"\\U99999999"', '\\U99999999'],
    ['"a\\d"', 'a\\d'],
    ['"a\\\nb"', 'ab'],
    ['"two\nlines"', 'two\nlines'],
    ['"""a "quoted" word"""', 'a "quoted" word'],
    ["'''a\nb'''", 'a\nb'],
    ['`a {b}`', 'a {b}'],
    ["'a' 'b'\n\"c\"", 'abc'],
    ["r'a\\nb'", 'a\\nb'],
    ["b'a'", 'a'],
    ["f'a {b}'", 'a {b}'],
    ["u'a'", 'a'],
    ["rb'\\n'", '\\n'],
    ["BR'\\n'", '\\n'],
    ["fr'\\n'", '\\n'],
    ["Rf'\\n'", '\\n'],
    ['  [1]  ;  ', [1]],
    ['\u200b[1]\ufeff', [1]],
    ['[12345678901234567890, 9007199254740991]', ['12345678901234567890', 9007199254740991]],
    ['[name, a.b]', ['name', 'a.b']],
    ['f()', { call: 'f', args: {} }],
    ['a.b(1, c=2, d: 3,)', { call: 'a.b', args: { 0: 1, c: 2, d: 3 } }],
    ['await f(new G(x))', { call: 'f', args: { 0: { call: 'G', args: { 0: 'x' } } } }],
    ['größe(höhe=2)', { call: 'größe', args: { höhe: 2 } }],
    ["[<Status.OPEN: 'open'>]", ["<Status.OPEN: 'open'>"]],
    ['{"__proto__": {"a": 1}}', Object.fromEntries([['__proto__', { a: 1 }]])],
  ])('reads %j', (text, value) => {
    expect(readLiteral(text)).toEqual(value);
  });

  it.each([
    '',
    'word',
    'two words',
    '<tag>',
    '{"a": 1',
    '[1, 2',
    '[1 2]',
    '{"a" 1}',
    '{"a": 1, "b"}',
    '{"a": 1 "b": 2}',
    '"open',
    "'''open''",
    'f(1',
    'f(a b)',
    'f(a == b)',
    'f(1)(2)',
    'f (1)',
    'f(*args)',
    '12ab',
    '[1] and more',
    '1 + 1',
  ])('finds no literal in %j', (text) => {
    expect(readLiteral(text)).toBeUndefined();
  });

  it('keeps keys of the prototype as plain keys', () => {
    expect(Object.keys(readLiteral('{"__proto__": 1, "constructor": 2}') as object)).toEqual([
      '__proto__',
      'constructor',
    ]);
    expect(readLiteral('[toString, constructor]')).toEqual(['toString', 'constructor']);
  });

  it('reads as deep as it says and no deeper', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

    expect(readLiteral(nested(deepest))).toBeDefined();
    expect(readLiteral(nested(deepest + 1))).toBeUndefined();
    expect(isTooDeep(nested(deepest))).toBe(false);
    expect(isTooDeep('{('.repeat(deepest))).toBe(true);
    expect(isTooDeep('[](){}'.repeat(deepest))).toBe(false);
  });

  it('handles hostile input in time', () => {
    const started = process.cpuUsage().user;
    for (const part of ['[', '{', '(', 'f(', '{"a":', '"', '"""', '\\', "'a',", '1', 'a.', '[{(', '{"a", ']) {
      readLiteral(part.repeat(1_000_000 / part.length));
      readLiteral(`"${part.repeat(1_000_000 / part.length)}`);
    }
    // Time of the processor and not of the clock: a busy machine is not a failure.
    expect(process.cpuUsage().user - started).toBeLessThan(10_000_000);
  });
});

describe('literals inside of other text', () => {
  it('finds the one that begins at a position', () => {
    expect(literalAt('see {"a": 1} there', 4)).toEqual({ value: { a: 1 }, end: 12 });
    expect(literalAt('see it', 4)).toBeUndefined();
  });

  it.each([
    ['{"a": {"b": "c', { a: { b: 'c' } }],
    ['{"a": 1, "b', { a: 1 }],
    ['{"a": ', { a: null }],
    ['[1, [2, ', [1, [2]]],
    ['f(1, a="b', { call: 'f', args: { 0: 1, a: 'b' } }],
  ])('reads what there is of %j', (text, value) => {
    expect(readCutLiteral(text)).toEqual(value);
    expect(readLiteral(text)).toBeUndefined();
  });

  it('reads the fields of a printed object', () => {
    expect(readPairs("a='b' c=[1], d=F(e=2)")).toEqual({ a: 'b', c: [1], d: { call: 'F', args: { e: 2 } } });
    expect(readPairs("a='b'")).toBeUndefined();
    expect(readPairs("a='b' c")).toBeUndefined();
    expect(readPairs("a='b' c=")).toBeUndefined();
  });
});

describe('values', () => {
  it('tells calls from other records', () => {
    expect(isCallLiteral({ call: 'f', args: {} })).toBe(true);
    expect(isCallLiteral({ call: 'f', args: [] })).toBe(false);
    expect(isCallLiteral({ call: 1, args: {} })).toBe(false);
    expect(isCallLiteral({ call: 'f', args: {}, at: 1 })).toBe(false);
    expect(isCallLiteral('f')).toBe(false);
  });

  it('gives arguments names, or their places', () => {
    expect(argumentsOf({ a: 1 })).toEqual({ a: 1 });
    expect(argumentsOf('{"a": 1}')).toEqual({ a: 1 });
    expect(argumentsOf(' [1, 2]')).toEqual({ 0: 1, 1: 2 });
    expect(argumentsOf('[open')).toEqual({ 0: '[open' });
    expect(argumentsOf('word')).toEqual({ 0: 'word' });
    expect(argumentsOf('7')).toEqual({ 0: '7' });
    expect(argumentsOf({ call: 'f', args: {} })).toEqual({ 0: { call: 'f', args: {} } });
    expect(argumentsOf(null)).toEqual({});
    expect(argumentsOf('')).toEqual({});
  });

  it('writes compact JSON', () => {
    expect(writeLiteral({ a: [1, 'b', null] })).toBe('{"a":[1,"b",null]}');
  });
});
