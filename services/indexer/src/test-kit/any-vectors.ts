import { randomNumbers } from '@whetstone/platform/test-kit';
import fc from 'fast-check';

/** One vector; of some kinds it lies close to `centre`. */
type MakeVector = (random: () => number, centre: Float32Array) => Float32Array;

const makers: Record<string, MakeVector> = {
  random: (random, centre) => centre.map(() => random() - 0.5),
  clustered: (random, centre) => centre.map((value) => value + (random() - 0.5) * 0.05),
  nearIdentical: (random, centre) => centre.map((value) => value + (random() - 0.5) * 1e-6),
  identical: (_random, centre) => centre.slice(),
  opposite: (_random, centre) => centre.map((value) => -value),
  scaled: (random, centre) => centre.map((value) => value * 10 ** (random() * 8 - 4)),
  tiny: (random, centre) => centre.map(() => (random() - 0.5) * 1e-42),
  huge: (random, centre) => centre.map(() => (random() - 0.5) * 1e38),
  zero: (_random, centre) => new Float32Array(centre.length),
  constant: (random, centre) => new Float32Array(centre.length).fill(random() - 0.5),
  oneHot: (random, centre) => {
    const hot = Math.floor(random() * centre.length);
    return centre.map((_, index) => (index === hot ? 1 : 0));
  },
};

interface AnyVectors {
  dimension: number;
  query: Float32Array;
  vectors: Float32Array[];
}

/** A query and up to 150 vectors of a few kinds; half of the queries are close to many of them. */
export const anyVectors: fc.Arbitrary<AnyVectors> = fc
  .record({
    dimension: fc.constantFrom(1, 2, 5, 32, 40, 384),
    kinds: fc.array(fc.constantFrom(...Object.keys(makers)), { minLength: 1, maxLength: 4 }),
    queryKind: fc.oneof(fc.constant('nearIdentical'), fc.constantFrom(...Object.keys(makers))),
    count: fc.integer({ min: 0, max: 150 }),
    seed: fc.nat(),
  })
  .map(({ dimension, kinds, queryKind, count, seed }) => {
    const random = randomNumbers(seed);
    const centre = Float32Array.from({ length: dimension }, () => random() - 0.5);
    const vectorOf = (kind: string) => (makers[kind] as MakeVector)(random, centre);
    const vectors = Array.from({ length: count }, (_, index) => vectorOf(kinds[index % kinds.length] as string));
    return { dimension, query: vectorOf(queryKind), vectors };
  });
