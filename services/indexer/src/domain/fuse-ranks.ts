/**
 * Reciprocal rank fusion: each list gives its entry at rank r (from 1) 1 / (k + r), and what several lists rank well
 * adds up. Ranks fuse where scores cannot: a cosine and a BM25 score have no common scale. k = 60 is the constant of the
 * method's authors; it keeps a single first place from outweighing two good ones.
 */
export function fuseRanks(lists: string[][], k = 60): Map<string, number> {
  const fused = new Map<string, number>();
  for (const list of lists) {
    for (const [index, id] of list.entries()) fused.set(id, (fused.get(id) ?? 0) + 1 / (k + index + 1));
  }
  return fused;
}
