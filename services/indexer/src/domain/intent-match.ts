import { cosine } from './cosine.js';
import type { DeletionMarker, RowHead } from './ports.js';

/** Vectors are single precision: a similarity this close below the threshold counts as reaching it. */
export const similarityTolerance = 1e-6;

export function reaches(similarity: number, threshold: number): boolean {
  return similarity >= threshold - similarityTolerance;
}

/** Whether the deletion covers the row: accepted no later than it, and near enough. Votes have no intent of their own. */
export function covers(marker: DeletionMarker, { type, acceptedAt, vector }: RowHead): boolean {
  return type !== 'vote' && marker.deletedAt >= acceptedAt && reaches(cosine(marker.vector, vector), marker.threshold);
}
