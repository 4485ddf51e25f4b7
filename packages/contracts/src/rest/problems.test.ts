import { boundProblems, problem } from './problems.js';

describe('the problems of an answer', () => {
  it('are listed as they are, up to a hundred', () => {
    const problems = Array.from({ length: 101 }, (_, turn) => problem('missing', ['body', 'turns', turn, 'decision']));

    expect(boundProblems(problems)).toEqual(problems.slice(0, 100));
  });

  it('stay few and short under long names, and one is always told', () => {
    const names = Array.from({ length: 490 }, () => 'k'.repeat(8000));
    const problems = Array.from({ length: 100 }, () => problem('string_unicode', ['body', ...names]));

    const bound = boundProblems(problems);

    expect(bound).toHaveLength(1);
    expect(JSON.stringify(bound).length).toBeLessThan(128 * 1024);
    expect(bound[0]?.loc[1]).toBe(`${'k'.repeat(200)}…`);
  });

  it('are cut between characters', () => {
    const [cut] = boundProblems([problem('missing', ['body', `${'k'.repeat(199)}🪨${'k'.repeat(99)}`])]);

    expect(cut?.loc[1]).toBe(`${'k'.repeat(199)}…`);
  });
});
