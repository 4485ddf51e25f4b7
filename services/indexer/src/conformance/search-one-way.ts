import type { FoundInsight, VectorStore } from '../domain/ports.js';
import { aVector } from './sample-rows.js';

/** What is found by a vector alone. */
export async function byMeaning(
  store: VectorStore,
  collectionId: string,
  vector: Float32Array,
  limit: number,
): Promise<FoundInsight[]> {
  return (await store.search(collectionId, { vector, text: '', limit })).byMeaning;
}

/** What is found by words, whatever lies near some vector. */
export async function byWords(
  store: VectorStore,
  collectionId: string,
  text: string,
  limit: number,
): Promise<FoundInsight[]> {
  return (await store.search(collectionId, { vector: aVector(1), text, limit })).byWords;
}
