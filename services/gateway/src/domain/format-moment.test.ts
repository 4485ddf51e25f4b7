import { formatMoment } from './format-moment.js';

describe('formatMoment', () => {
  it.each([
    [Date.UTC(2026, 2, 5, 18, 15, 37) * 1000 + 903_173, '2026-03-05T18:15:37.903173'],
    [0, '1970-01-01T00:00:00.000000'],
    [1_000_001, '1970-01-01T00:00:01.000001'],
    [-1, '1969-12-31T23:59:59.999999'],
  ])('%d is %s', (moment, text) => {
    expect(formatMoment(moment)).toBe(text);
  });
});
