import { VectorCache } from './vector-cache.js';

describe('VectorCache', () => {
  it('forgets the least recently used vectors when it is full', () => {
    const vector = new Float32Array(100);
    const cache = new VectorCache(2_000);
    for (const text of ['a', 'b', 'c']) cache.set(text, vector);
    cache.get('a');
    cache.set('d', vector);
    expect(['a', 'b', 'c', 'd'].filter((text) => cache.get(text))).toEqual(['a', 'c', 'd']);
  });

  it('counts a text once however often it is set', () => {
    const cache = new VectorCache(1_000);
    for (let i = 0; i < 100; i++) cache.set('same', new Float32Array(100));
    expect(cache.get('same')).toBeDefined();
  });

  it('holds nothing that alone exceeds its bound', () => {
    const cache = new VectorCache(1_000);
    cache.set('x'.repeat(1_000), new Float32Array(100));
    expect(cache.get('x'.repeat(1_000))).toBeUndefined();
  });
});
