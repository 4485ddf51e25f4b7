import { rowLevels } from './quantise-row.js';

const largestInt16 = 32_767;
const largestInt32 = 2 ** 31 - 1;

/**
 * Covers the rounding of what is not a whole number, which single precision puts off by 2⁻²³ of a cosine: the tolerance is at
 * least 1 / (254 √dimension) of one, and a hundredth of that is more for up to 65,536 dimensions.
 */
const roundingSlack = 1.01;

/**
 * Writes the query as 16-bit integers and returns how far its integer product with a quantised row can be from the true one.
 *
 * In steps, the query is v = w + f with w whole and the row is x = y + e with y whole, |y| ≤ 127 and |e| ≤ ½. Then
 * v·x − w·y = v·e + f·y, and so |v·x − w·y| ≤ Σ (½|v| + 127|f|), whatever the row.
 */
export function quantiseQuery(query: Float32Array, into: Int16Array): number {
  let largest = 0;
  for (const value of query) largest = Math.max(largest, Math.abs(value));
  if (largest === 0) {
    into.fill(0);
    return 0;
  }
  const perStep = queryLevels(query.length) / largest;
  let tolerance = 0;
  for (let i = 0; i < query.length; i++) {
    const value = (query[i] as number) * perStep;
    const whole = Math.round(value);
    into[i] = whole;
    tolerance += Math.abs(value) / 2 + rowLevels * Math.abs(value - whole);
  }
  return tolerance * roundingSlack;
}

/** As fine as 16 bits allow, and so that a product of the largest values still fits into 32. */
function queryLevels(dimension: number): number {
  return Math.min(largestInt16, Math.floor(largestInt32 / (rowLevels * dimension)));
}
