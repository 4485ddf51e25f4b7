import { getEventListeners } from 'node:events';

import { abortable, withOwnSignal, withTimeLimit } from './abortable.js';

const tooLong = { timeoutMs: 5, error: () => new Error('too long') };
const longEnough = { ...tooLong, timeoutMs: 60_000 };

describe('abortable work', () => {
  it('settles as the work does', async () => {
    const { signal } = new AbortController();

    expect(await abortable(Promise.resolve('done'), signal)).toBe('done');
    await expect(abortable(Promise.reject(new Error('failed')), signal)).rejects.toThrow('failed');
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('rejects with the reason of the abort, before and during the work', async () => {
    const stop = new AbortController();
    const hanging = abortable(new Promise(() => {}), stop.signal);
    stop.abort(new Error('stopping'));

    await expect(hanging).rejects.toThrow('stopping');
    await expect(abortable(new Promise(() => {}), stop.signal)).rejects.toThrow('stopping');
  });
});

describe('a signal of its own', () => {
  it('follows the outer one while the work lasts', async () => {
    const stop = new AbortController();
    const work = withOwnSignal(stop.signal, ({ signal }) => abortable(new Promise(() => {}), signal));
    stop.abort(new Error('stopping'));

    await expect(work).rejects.toThrow('stopping');
  });

  it('leaves nothing at the outer one, whatever listens to it', async () => {
    const outer = new AbortController().signal;

    await withOwnSignal(outer, async ({ signal }) => signal.addEventListener('abort', () => {}));

    expect(getEventListeners(outer, 'abort')).toEqual([]);
  });
});

describe('a time limit', () => {
  it('ends work that takes too long, and tells it so', async () => {
    let told: AbortSignal | undefined;
    const { signal } = new AbortController();
    const work = withTimeLimit(tooLong, signal, (limited) => {
      told = limited;
      return new Promise(() => {});
    });

    await expect(work).rejects.toThrow('too long');
    expect(told?.aborted).toBe(true);
    expect(signal.aborted).toBe(false);
  });

  it('lets work end that is quick enough, and an abort go first', async () => {
    const stop = new AbortController();
    expect(await withTimeLimit(longEnough, stop.signal, () => Promise.resolve('done'))).toBe('done');

    const work = withTimeLimit(longEnough, stop.signal, () => new Promise(() => {}));
    stop.abort(new Error('stopping'));

    await expect(work).rejects.toThrow('stopping');
  });
});
