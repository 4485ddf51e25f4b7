import { InferenceQueue, VectorCache } from './inference-queue.js';

describe('InferenceQueue', () => {
  it('runs interactive texts before waiting background texts', async () => {
    const order: string[] = [];
    const queue = new InferenceQueue(recording(order));
    await Promise.all([
      queue.embed('first', 'background'),
      queue.embed('second', 'background'),
      queue.embed('urgent', 'interactive'),
    ]);
    expect(order).toEqual(['first', 'urgent', 'second']);
  });

  it('embeds a shared text once, at the highest requested priority', async () => {
    const order: string[] = [];
    const queue = new InferenceQueue(recording(order));
    const [, , a, b] = await Promise.all([
      queue.embed('first', 'background'),
      queue.embed('second', 'background'),
      queue.embed('shared', 'background'),
      queue.embed('shared', 'interactive'),
    ]);
    expect(order).toEqual(['first', 'shared', 'second']);
    expect(a).toBe(b);
  });

  it('runs up to its concurrency and reserves slots for interactive texts', async () => {
    const order: string[] = [];
    const queue = new InferenceQueue(recording(order), { concurrency: 3, backgroundConcurrency: 2 });
    const all = [
      queue.embed('one', 'background'),
      queue.embed('two', 'background'),
      queue.embed('three', 'background'),
      queue.embed('urgent', 'interactive'),
    ];
    expect(order).toEqual(['one', 'two', 'urgent']);
    await Promise.all(all);
    expect(order).toEqual(['one', 'two', 'urgent', 'three']);
  });

  it('answers a text embedded before from its cache', async () => {
    const order: string[] = [];
    const queue = new InferenceQueue(recording(order), { cacheBytes: 10_000 });
    const first = await queue.embed('same', 'background');
    expect(await queue.embed('same', 'interactive')).toBe(first);
    expect(order).toEqual(['same']);
  });

  it('continues after a failed text', async () => {
    const queue = new InferenceQueue(async (text) => {
      if (text === 'bad') throw new Error('no');
      return Float32Array.of(1);
    });
    const [bad, good] = await Promise.allSettled([queue.embed('bad', 'background'), queue.embed('good', 'background')]);
    expect([bad.status, good.status]).toEqual(['rejected', 'fulfilled']);
  });
});

function recording(order: string[]) {
  return async (text: string) => {
    order.push(text);
    await new Promise(setImmediate);
    return Float32Array.of(text.length);
  };
}

describe('VectorCache', () => {
  it('evicts the least recently used vectors when full', () => {
    const vector = new Float32Array(100);
    const cache = new VectorCache(2_000);
    for (const text of ['a', 'b', 'c']) cache.set(text, vector);
    cache.get('a');
    cache.set('d', vector);
    expect(['a', 'b', 'c', 'd'].filter((text) => cache.get(text))).toEqual(['a', 'c', 'd']);
  });

  it('counts a text once, however often it is set', () => {
    const cache = new VectorCache(1_000);
    for (let i = 0; i < 100; i++) cache.set('same', new Float32Array(100));
    expect(cache.get('same')).toBeDefined();
  });

  it('holds nothing that exceeds its limit alone', () => {
    const cache = new VectorCache(1_000);
    cache.set('x'.repeat(1_000), new Float32Array(100));
    expect(cache.get('x'.repeat(1_000))).toBeUndefined();
  });
});
