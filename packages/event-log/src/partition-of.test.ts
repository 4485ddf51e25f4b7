import { partitionOf, stableHash } from './partition-of.js';

describe('partitionOf', () => {
  it('never changes, because files on disk were written by it', () => {
    expect([stableHash(''), stableHash('job_1'), stableHash('Straße')]).toEqual([2872998923, 3506391873, 3134391024]);
    expect(partitionOf('job_1', 8)).toBe(stableHash('job_1') % 8);
  });

  it('spreads similar keys over all partitions about evenly', () => {
    const counts = new Array<number>(8).fill(0);
    for (let index = 0; index < 8000; index++) counts[partitionOf(`job_${index}`, 8)]! += 1;

    expect(Math.min(...counts)).toBeGreaterThan(800);
    expect(Math.max(...counts)).toBeLessThan(1200);
  });
});
