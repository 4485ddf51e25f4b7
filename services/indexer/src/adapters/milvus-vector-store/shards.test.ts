import fc from 'fast-check';

import { markersName, shardName, shardOf, shardSetOf } from './shards.js';

const aModel = fc.record({
  name: fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
  dimension: fc.integer({ min: 1, max: 32_768 }),
});
const aSet = fc.record({ model: aModel, shards: fc.integer({ min: 1, max: 64 }) });

describe('a shard name', () => {
  it('is legal in Milvus and encodes model, dimension and number of shards, for any model name', () => {
    fc.assert(
      fc.property(aSet, fc.nat(63), (set, shard) => {
        const name = shardName(set, shard);
        expect(name).toMatch(/^[A-Za-z][A-Za-z0-9_]*$/);
        expect(shardSetOf(name)).toEqual({
          ...set,
          model: { ...set.model, name: Buffer.from(set.model.name).toString() },
        });
      }),
    );
  });

  it('differs by model, dimension, number of shards and shard', () => {
    const model = { name: 'all-MiniLM', dimension: 384 };
    const names = [
      shardName({ model, shards: 8 }, 0),
      shardName({ model, shards: 8 }, 1),
      shardName({ model, shards: 16 }, 0),
      shardName({ model: { ...model, dimension: 385 }, shards: 8 }, 0),
      shardName({ model: { ...model, name: 'all_MiniLM' }, shards: 8 }, 0),
      shardName({ model: { ...model, name: 'all-minilm' }, shards: 8 }, 0),
      markersName({ model, shards: 8 }),
    ];
    expect(new Set(names).size).toBe(names.length);
    expect(names[0]).toBe('whetstone_all_2dMiniLM__384__0of8');
  });

  it('is distinguished from foreign names', () => {
    const markers = markersName({ model: { name: 'm', dimension: 3 }, shards: 8 });
    for (const name of ['', 'whetstone', 'whetstone_m__3', 'other_m__3__0of8', 'whetstone_m_3_0of8', markers]) {
      expect(shardSetOf(name)).toBeUndefined();
    }
  });
});

describe('the shard of a collection', () => {
  it('never changes, and collections spread evenly', () => {
    expect(shardOf('cfa1254c29970514b_a7518c98d7aafd616eaba0f5eab90864', 8)).toBe(4);
    const counts = new Array<number>(8).fill(0);
    for (let n = 0; n < 8_000; n++) {
      const shard = shardOf(`c${n}`, 8);
      counts[shard] = (counts[shard] ?? 0) + 1;
    }
    expect(Math.min(...counts)).toBeGreaterThan(850);
    expect(Math.max(...counts)).toBeLessThan(1_150);
  });
});
