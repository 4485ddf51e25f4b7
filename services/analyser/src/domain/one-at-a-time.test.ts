import { createOneAtATime } from './one-at-a-time.js';

const unaborted = new AbortController().signal;

describe('one at a time', () => {
  it('lets work of one name wait for its turn, in order', async () => {
    const oneAtATime = createOneAtATime();
    const happened: string[] = [];
    const work = (name: string, label: string) =>
      oneAtATime(name, unaborted, async () => {
        happened.push(`${label} begins`);
        await new Promise(setImmediate);
        happened.push(`${label} ends`);
      });

    await Promise.all([work('job', '1'), work('job', '2'), work('job', '3')]);

    expect(happened).toEqual(['1 begins', '1 ends', '2 begins', '2 ends', '3 begins', '3 ends']);
  });

  it('lets work of another name pass', async () => {
    const oneAtATime = createOneAtATime();
    void oneAtATime('stuck', unaborted, () => new Promise(() => {}));

    expect(await oneAtATime('free', unaborted, () => Promise.resolve('done'))).toBe('done');
  });

  it('goes on after work that failed', async () => {
    const oneAtATime = createOneAtATime();
    const failing = oneAtATime('job', unaborted, () => Promise.reject(new Error('failed')));
    const next = oneAtATime('job', unaborted, () => Promise.resolve('done'));

    await expect(failing).rejects.toThrow('failed');
    expect(await next).toBe('done');
  });

  it('lets go of what is aborted while it waits, and keeps the order of the others', async () => {
    const oneAtATime = createOneAtATime();
    const stop = new AbortController();
    let finish = (): void => {};
    const first = oneAtATime('job', unaborted, () => new Promise<void>((resolve) => (finish = resolve)));
    const second = oneAtATime('job', stop.signal, () => Promise.resolve('never'));
    let thirdRan = false;
    const third = oneAtATime('job', unaborted, () => Promise.resolve((thirdRan = true)));

    stop.abort(new Error('stopping'));
    await expect(second).rejects.toThrow('stopping');
    expect(thirdRan).toBe(false);
    finish();
    await first;

    expect(await third).toBe(true);
  });
});
