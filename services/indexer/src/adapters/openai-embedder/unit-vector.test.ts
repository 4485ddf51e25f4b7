import { unitVector } from './unit-vector.js';

describe('a vector at length one', () => {
  it.each([[[3, 4]], [[1e200, -1e200]], [[1e-300, 2e-300, 0]]])('keeps its direction: %j', (values) => {
    const unit = unitVector(values) ?? new Float32Array();
    expect(Math.hypot(...unit)).toBeCloseTo(1, 6);
    expect(unit[0]! / unit[1]!).toBeCloseTo(values[0]! / values[1]!, 5);
  });

  it.each([[[0, 0]], [[]], [[1, Number.NaN]], [[1, null as unknown as number]]])(
    'does not come of what has none: %j',
    (values) => {
      expect(unitVector(values)).toBeUndefined();
    },
  );
});
