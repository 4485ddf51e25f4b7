/** The largest value of a row of 8-bit integers; -128 is not used. */
export const rowLevels = 127;

/**
 * Writes the row as 8-bit integers, in steps of its largest value / 127, so that each is off by half a step at most. Returns
 * the step as a part of the row's length: what turns an integer product into a cosine, but for a factor that is the query's.
 */
export function quantiseRow(row: Float32Array, into: Int8Array): number {
  let largest = 0;
  let squares = 0;
  for (let i = 0; i < row.length; i++) {
    const value = row[i] as number;
    largest = Math.max(largest, Math.abs(value));
    squares += value * value;
  }
  if (largest === 0) {
    into.fill(0);
    return 0;
  }
  const perStep = rowLevels / largest;
  for (let i = 0; i < row.length; i++) into[i] = Math.round((row[i] as number) * perStep);
  return largest / rowLevels / Math.sqrt(squares);
}
