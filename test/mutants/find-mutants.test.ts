import { applyMutants, findMutants, type MutantKind } from './find-mutants.js';

function found(source: string): [MutantKind, string][] {
  return findMutants(source).map(({ kind, text }) => [kind, text]);
}

describe('findMutants', () => {
  it('deletes alternatives of regular expressions, wherever they stand', () => {
    expect(found('const is = (x) => /a|b/.test(x);')).toEqual([
      ['alternative', 'a|'],
      ['alternative', '|b'],
    ]);
    expect(found('const r = new RegExp(`^(?:a|b)$' + '{x}`);')).toHaveLength(2);
    expect(found("const p = 'rm|shred -r|-R';").map(([, text]) => text)).toEqual(['rm|', '|shred', '-r|', '|-R']);
  });

  it('deletes rows of lists, sets, maps and records', () => {
    expect(found("const rows = [{ id: 'a' }, { id: 'b' }];").map(([, text]) => text)).toEqual([
      "{ id: 'a' },",
      "{ id: 'b' }",
    ]);
    expect(found("export const m = new Map([['a', 1], ['b', 2]]);")).toHaveLength(2);
    expect(found('const f = () => new Set([1, 2]);')).toHaveLength(2);
    expect(found("const r = { a: 'x', b: 'y', c: 'z' };")).toHaveLength(3);
    expect(found('const rules = [first, second];')).toHaveLength(2);
  });

  it('deletes words of lists that are written as one string', () => {
    expect(found("const s = new Set(('a b ' + 'c d').split(' '));").map(([, text]) => text)).toEqual([
      'a ',
      ' b',
      'c ',
      ' d',
    ]);
    const helped =
      "const row = (one, alike) => ({ one: one.split(', '), alike });\nconst rows = [row('a, b', ['x', 'y'])];";
    expect(found(helped).map(([, text]) => text)).toEqual(['a, ', ', b']);
  });

  it('leaves alone what is no rule: pairs, options of a call, arrays inside of functions, examples', () => {
    expect(found('const f = (a, b) => [a, b];')).toEqual([]);
    expect(found("const o = { name: 'a', deep: true };")).toEqual([]);
    expect(found("const rows = [{ examples: ['a|b', 'c'] }];")).toEqual([]);
  });

  it('gives sources that still parse', () => {
    const source = "const t = [1, 2,\n 3];\nconst s = 'a|b';";
    const texts = findMutants(source).map((mutant) => applyMutants(source, [mutant]));
    expect(texts).toContain("const t = [1, 2,\n ];\nconst s = 'a|b';");
    expect(texts).toHaveLength(5);
    expect(applyMutants(source, findMutants(source))).toBe("const t = [ \n ];\nconst s = '';");
  });
});
