import type { Embedder } from '../domain/ports.js';
import { conformanceModel } from './vector-store-harness.js';

/**
 * Texts whose nearness is known exactly: `0.8 of north` is a unit vector with that cosine to `north`, and words that are
 * directions are at right angles to each other. Any other text is a direction of its own.
 */
export function createDirectionEmbedder(model = conformanceModel): Embedder {
  const { dimension } = model;
  return {
    model,
    async embed(text) {
      const [, share, direction] = /^(\S+) of (.+)$/.exec(text) ?? [undefined, '1', text];
      const vector = new Float32Array(dimension);
      const axis = axisOf(direction as string, dimension);
      vector[axis] = Number(share);
      vector[(axis + 1) % dimension] = Math.sqrt(1 - Number(share) ** 2);
      return vector;
    },
    close: async () => undefined,
  };
}

function axisOf(text: string, dimension: number): number {
  let hash = 0;
  for (const character of text) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) >>> 0;
  return (hash % (dimension / 2)) * 2;
}
