import { weighVotes } from './vote-weight.js';

const lesson = (helped: number, harmed: number) => ({ name: `${helped}+${harmed}`, votes: { helped, harmed } });
const none = lesson(0, 0);

describe('votes', () => {
  it('move nothing where there are none', () => {
    expect(weighVotes([none, none]).map(({ voteShift }) => voteShift)).toEqual([0, 0]);
  });

  it('raise what helped and lower what harmed, the more of them the more, within a bound', () => {
    const shiftOf = (helped: number, harmed: number) =>
      weighVotes([lesson(helped, harmed)])[0]?.voteShift ?? Number.NaN;

    expect(shiftOf(1, 0)).toBeGreaterThan(0);
    expect(shiftOf(4, 0)).toBeGreaterThan(shiftOf(1, 0));
    expect(shiftOf(0, 1)).toBeLessThan(0);
    expect(shiftOf(0, 4)).toBeLessThan(shiftOf(0, 1));
    expect(shiftOf(1_000_000, 0)).toBeLessThanOrEqual(0.15);
    expect(weighVotes([lesson(0, 5), lesson(1_000, 0), lesson(0, 1_000)])[1]?.voteShift).toBe(0.15);
    expect(shiftOf(5, 5)).toBeCloseTo(0);
  });

  it('take more than one bad outcome, or five, to silence a lesson, and many where it has helped before', () => {
    const isTold = (helped: number, harmed: number) => weighVotes([lesson(helped, harmed)]).length === 1;
    const toSilence = (helped: number) => {
      let harmed = 0;
      while (isTold(helped, harmed)) harmed++;
      return harmed;
    };

    expect([0, 2, 5, 10].map(toSilence)).toEqual([6, 11, 18, 29]);
  });

  it('do not count against a lesson where runs fail whatever they are told', () => {
    const hard = [lesson(6, 24), lesson(6, 24), lesson(7, 23)];

    expect(weighVotes(hard)).toHaveLength(3);
    expect(weighVotes([lesson(6, 24)])).toHaveLength(0);
    for (const { voteShift } of weighVotes(hard)) expect(Math.abs(voteShift)).toBeLessThan(0.02);
  });

  it('silence what never helps, also where nothing else does', () => {
    expect(weighVotes([lesson(0, 10), lesson(0, 10), lesson(0, 10)])).toEqual([]);
  });
});
