import { createPatience } from './patience.js';

describe('patience', () => {
  const unaborted = new AbortController().signal;

  it('insists until it works, and tells each failure', async () => {
    const failures: number[] = [];
    let calls = 0;
    const operation = () => (++calls < 4 ? Promise.reject(new Error('away')) : Promise.resolve('back'));

    const result = await createPatience({ firstWaitMs: 1, longestWaitMs: 2 }).insist(operation, unaborted, {
      onFailure: (_, count) => failures.push(count),
    });

    expect(result).toBe('back');
    expect(failures).toEqual([1, 2, 3]);
  });

  it('does not insist on what is final', async () => {
    const operation = () => Promise.reject(new Error('hopeless'));
    const insisting = createPatience({ firstWaitMs: 1, longestWaitMs: 2 }).insist(operation, unaborted, {
      isFinal: () => true,
    });

    await expect(insisting).rejects.toThrow('hopeless');
  });

  it('gives up an operation that hangs when it is aborted', async () => {
    const stop = new AbortController();
    const insisting = createPatience({ firstWaitMs: 1, longestWaitMs: 2 }).insist(
      () => new Promise(() => {}),
      stop.signal,
    );
    stop.abort(new Error('stopping'));

    await expect(insisting).rejects.toThrow('stopping');
  });

  it('waits longer after each failure, up to its bound', async () => {
    const aborted = AbortSignal.abort(new Error('stopping'));

    await expect(createPatience({ firstWaitMs: 1, longestWaitMs: 2 }).pause(2000, aborted)).rejects.toThrow();
    const begun = process.hrtime.bigint();
    await createPatience({ firstWaitMs: 1, longestWaitMs: 30 }, () => 1).pause(1000, unaborted);
    expect(process.hrtime.bigint() - begun).toBeGreaterThan(25_000_000n);
  });
});
