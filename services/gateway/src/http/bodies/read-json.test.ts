import type { Refusal } from '../refusals.js';
import { findJsonError, maxDepth, readJson } from './read-json.js';

function problemsOf(body: string | Uint8Array) {
  try {
    return readJson(Buffer.from(body as string)).problems;
  } catch (error) {
    return (error as Refusal).problems;
  }
}

describe('readJson', () => {
  it('reads what is JSON, with or without a byte order mark', () => {
    expect(readJson(Buffer.from('{"a":[1,"\\ud83e\\udea8\u0000"]}'.replace('\u0000', '\\u0000'))).value).toEqual({
      a: [1, '🪨\u0000'],
    });
    expect(readJson(Buffer.from('\ufeff{}')).value).toEqual({});
  });

  it('misses a body that is not there', () => {
    expect(problemsOf('')).toEqual([{ loc: ['body'], msg: 'Field required', type: 'missing' }]);
  });

  // The places that FastAPI names.
  it.each([
    ['{', 1],
    ['{"a":1,}', 7],
    ['{"a":1', 6],
    ['nope', 0],
    ['[1,2', 4],
    ['{"a" 1}', 5],
    ['{"a":"x\ny"}', 7],
    ['{"a":"\\x"}', 6],
    ['{} x', 3],
    ['{"a":tru}', 5],
    ['{"a":1 "b":2}', 7],
    ['"abc', 0],
    ['{a:1}', 1],
    ['01', 1],
    ['{"a":-}', 5],
    ['  [1, }', 6],
    ['[]]', 2],
    ['{"ä": "ö" x}', 10],
  ])('tells where %j breaks: %d', (text, position) => {
    expect(problemsOf(text)).toEqual([{ loc: ['body', position], msg: 'JSON decode error', type: 'json_invalid' }]);
  });

  it('refuses bytes that are no text', () => {
    expect(problemsOf(Uint8Array.from([0x22, 0xff, 0x22]))).toMatchObject([{ loc: ['body'], type: 'string_unicode' }]);
    expect(problemsOf(Uint8Array.from([0x22, 0xed, 0xa0, 0x80, 0x22]))).toMatchObject([{ type: 'string_unicode' }]);
  });

  it('finds lone surrogates in values and in keys, and lets pairs pass', () => {
    const text = '{"a":["\\ud800",{"b\\udfff":"\\ud83e\\udea8"}],"c":"\\uDBFF\\ud800"}';

    expect(problemsOf(text).map(({ loc, type }) => [loc, type])).toEqual([
      [['body', 'a', 0], 'string_unicode'],
      [['body', 'a', 1, 'b\ufffd'], 'string_unicode'],
      [['body', 'c'], 'string_unicode'],
    ]);
  });

  it('tells at most 100 lone surrogates', () => {
    expect(problemsOf(`[${Array.from({ length: 500 }, () => '"\\ud800"').join()}]`)).toHaveLength(100);
  });

  it('refuses what is nested deeper than can be written again', () => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

    expect(problemsOf(nested(maxDepth))).toEqual([]);
    expect(problemsOf(nested(maxDepth + 1))).toEqual([
      { loc: ['body', maxDepth], msg: 'JSON decode error', type: 'json_invalid' },
    ]);
    expect(problemsOf(`{"a":${'['.repeat(1_000_000)}`)).toMatchObject([{ type: 'json_invalid' }]);
  });

  it('does not count brackets in texts', () => {
    expect(problemsOf(JSON.stringify({ a: '['.repeat(2000), b: `\\"${'{'.repeat(2000)}\\\\` }))).toEqual([]);
  });
});

describe('findJsonError', () => {
  it('ends on every text that the engine refuses, and names a place within it', () => {
    const whole = '{"a": [1, -2.5e+3, "x\\u00e9\\n", true, null, {}], "b": {"c": []}}';
    for (let at = 0; at < whole.length; at++) {
      for (const text of [
        whole.slice(0, at),
        whole.slice(0, at) + whole.slice(at + 1),
        `${whole.slice(0, at)},${whole.slice(at)}`,
      ]) {
        if (isJson(text)) continue;
        const place = findJsonError(text);
        expect(place).toBeGreaterThanOrEqual(0);
        expect(place).toBeLessThanOrEqual(text.length);
      }
    }
  });

  function isJson(text: string): boolean {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  }
});
