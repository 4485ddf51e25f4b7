/** Cosine similarity, accumulated in double precision; 0 where a vector has no length. */
export function cosine(a: Float32Array, b: Float32Array): number {
  let dot = 0;
  let lengthA = 0;
  let lengthB = 0;
  for (let i = 0; i < a.length; i++) {
    const x = a[i] as number;
    const y = b[i] as number;
    dot += x * y;
    lengthA += x * x;
    lengthB += y * y;
  }
  const scale = Math.sqrt(lengthA * lengthB);
  return scale > 0 ? Math.max(-1, Math.min(1, dot / scale)) : 0;
}
