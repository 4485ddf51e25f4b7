import fc from 'fast-check';

import { intervalOfShare, measureUplift } from './measure-uplift.js';

const outcomes = (succeeded: number, told: number) => ({ succeeded, told });

describe('the uplift', () => {
  // Worked examples of Newcombe (1998), method 10.
  it.each([
    [outcomes(56, 70), outcomes(48, 80), 0.2, 0.0524, 0.3339],
    [outcomes(9, 10), outcomes(3, 10), 0.6, 0.1705, 0.809],
    [outcomes(6, 7), outcomes(2, 7), 0.5714, 0.0582, 0.8062],
    [outcomes(5, 56), outcomes(0, 29), 0.0893, -0.0381, 0.1926],
    [outcomes(0, 10), outcomes(0, 20), 0, -0.1611, 0.2775],
    [outcomes(10, 10), outcomes(0, 10), 1, 0.6075, 1],
  ])('of %j over %j is %d, from %d to %d', (recommended, holdout, difference, low, high) => {
    const uplift = measureUplift(recommended, holdout);

    expect(uplift?.difference).toBeCloseTo(difference, 4);
    expect(uplift?.low).toBeCloseTo(low, 4);
    expect(uplift?.high).toBeCloseTo(high, 4);
  });

  it('is not told where an arm has no outcome', () => {
    expect(measureUplift(outcomes(5, 10), outcomes(0, 0))).toBeUndefined();
    expect(measureUplift(outcomes(0, 0), outcomes(5, 10))).toBeUndefined();
  });

  it('lies within its interval, and turns its sign when the arms are exchanged', () => {
    const arm = fc
      .tuple(fc.integer({ min: 1, max: 500 }), fc.double({ min: 0, max: 1, noNaN: true }))
      .map(([told, share]) => outcomes(Math.round(told * share), told));
    fc.assert(
      fc.property(arm, arm, (a, b) => {
        const [there, back] = [measureUplift(a, b), measureUplift(b, a)];
        if (!there || !back) throw new Error('both arms have outcomes');
        expect(there.low).toBeLessThanOrEqual(there.difference);
        expect(there.high).toBeGreaterThanOrEqual(there.difference);
        expect(Math.abs(there.low)).toBeLessThanOrEqual(1 + 1e-9);
        expect(there.low).toBeCloseTo(-back.high, 9);
      }),
    );
  });
});

describe('the interval of a share', () => {
  it('is wide for few outcomes, narrow for many, and everything for none', () => {
    expect(intervalOfShare(outcomes(0, 0))).toEqual({ low: 0, high: 1 });
    const width = (told: number) => {
      const { low, high } = intervalOfShare(outcomes(told / 2, told));
      return high - low;
    };
    expect(width(4)).toBeGreaterThan(0.6);
    expect(width(4_000)).toBeLessThan(0.04);
  });
});
