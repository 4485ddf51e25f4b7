/** The vector at length one; undefined where it has no direction, or is made of something else than numbers. */
export function unitVector(values: readonly number[]): Float32Array | undefined {
  if (!values.every(Number.isFinite)) return undefined;
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (largest === 0) return undefined;
  // Scaled first: squares of very large or very small numbers leave what a number can hold.
  const length = Math.sqrt(values.reduce((sum, value) => sum + (value / largest) ** 2, 0));
  return Float32Array.from(values, (value) => value / largest / length);
}
