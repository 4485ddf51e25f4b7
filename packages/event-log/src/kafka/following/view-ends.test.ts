import type { PartitionBounds } from '../cluster-queries.js';
import { EndOffsets } from './view-ends.js';

describe('the ends of a topic', () => {
  it('are asked for once for all who want to know them at the same time', async () => {
    const { ends, questions } = setUp();

    await Promise.all(Array.from({ length: 50 }, () => ends.look()));

    expect(questions).toHaveLength(1);
  });

  it('are never told from a question that was asked before', async () => {
    const { ends, questions } = setUp();
    const early = ends.look();
    while (questions.length === 0) await new Promise((resolve) => setImmediate(resolve));

    const late = ends.look();

    expect((await early).bounds[0]?.high).toBe(1);
    expect((await late).bounds[0]?.high).toBe(2);
  });

  it('are asked for at most every 100 ms', async () => {
    const { ends, questions } = setUp();

    for (let index = 0; index < 4; index++) await ends.look();

    const gaps = questions.slice(1).map((atMs, index) => atMs - (questions[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(95);
  });

  it('can be asked for again after a question that failed', async () => {
    let isAway = true;
    const { ends } = setUp(() => {
      if (isAway) throw new Error('away');
    });
    await expect(ends.look()).rejects.toThrow('away');
    isAway = false;

    expect((await ends.look()).bounds).toHaveLength(1);
  });
});

function setUp(inspect = () => {}) {
  const questions: number[] = [];
  const ends = new EndOffsets({
    async ask(): Promise<PartitionBounds[]> {
      questions.push(performance.now());
      const high = questions.length;
      await new Promise((resolve) => setTimeout(resolve, 20));
      inspect();
      return [{ low: 0, high }];
    },
  });
  return { ends, questions };
}
