import { InferenceQueue } from './inference-queue.js';

describe('InferenceQueue', () => {
  it('takes interactive texts before everything that waits in the background', async () => {
    const order: string[] = [];
    const queue = new InferenceQueue(recording(order));
    await Promise.all([
      queue.embed('first', 'background'),
      queue.embed('second', 'background'),
      queue.embed('urgent', 'interactive'),
    ]);
    expect(order).toEqual(['first', 'urgent', 'second']);
  });

  it('works once for a text that several wait for, as early as the most urgent of them needs it', async () => {
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

  it('works on as many at once as it may, and keeps room for what cannot wait', async () => {
    const order: string[] = [];
    const queue = new InferenceQueue(recording(order), { atOnce: 3, background: 2 });
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

  it('goes on after a text that fails', async () => {
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
