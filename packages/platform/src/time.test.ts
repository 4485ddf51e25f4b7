import { getEventListeners } from 'node:events';

import { createRecordingLogger } from './test-kit/recording-logger.js';
import { abortable, backOffMs, logSparingly, retry, settleWithin, sleep, withOwnSignal, withTimeout } from './time.js';

const never = () => new Promise<never>(() => {});
const quick = { firstWaitMs: 1, longestWaitMs: 2 };

describe('sleep', () => {
  it('rejects with the reason of an abort and leaves no listener', async () => {
    const stop = new AbortController();
    await sleep(1, { signal: stop.signal });
    expect(getEventListeners(stop.signal, 'abort')).toEqual([]);

    const sleeping = sleep(60_000, { signal: stop.signal });
    stop.abort(new Error('stopping'));

    await expect(sleeping).rejects.toThrow('stopping');
    expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
  });
});

describe('abortable work', () => {
  it('settles as the work does', async () => {
    const { signal } = new AbortController();

    expect(await abortable(Promise.resolve('done'), signal)).toBe('done');
    await expect(abortable(Promise.reject(new Error('failed')), signal)).rejects.toThrow('failed');
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('rejects with the reason of the abort, before and during the work', async () => {
    const stop = new AbortController();
    const hanging = abortable(never(), stop.signal);
    stop.abort(new Error('stopping'));

    await expect(hanging).rejects.toThrow('stopping');
    await expect(abortable(never(), stop.signal)).rejects.toThrow('stopping');
  });
});

describe('a signal of its own', () => {
  it('follows the outer one while the work lasts', async () => {
    const stop = new AbortController();
    const work = withOwnSignal(stop.signal, ({ signal }) => abortable(never(), signal));
    stop.abort(new Error('stopping'));

    await expect(work).rejects.toThrow('stopping');
  });

  it('leaves nothing at the outer one, whatever listens to it', async () => {
    const outer = new AbortController().signal;

    await withOwnSignal(outer, async ({ signal }) => signal.addEventListener('abort', () => {}));

    expect(getEventListeners(outer, 'abort')).toEqual([]);
  });
});

describe('a timeout', () => {
  it('ends work that takes too long, and aborts its signal', async () => {
    let told: AbortSignal | undefined;
    const { signal } = new AbortController();
    const hang = (limited: AbortSignal) => {
      told = limited;
      return never();
    };

    await expect(withTimeout(5, hang, { signal, error: () => new Error('too long') })).rejects.toThrow('too long');
    expect(told?.aborted).toBe(true);
    expect(signal.aborted).toBe(false);
  });

  it('lets quick work end, and an outer abort go first', async () => {
    const stop = new AbortController();
    expect(await withTimeout(60_000, () => Promise.resolve('done'), { signal: stop.signal })).toBe('done');

    const work = withTimeout(60_000, never, { signal: stop.signal });
    stop.abort(new Error('stopping'));

    await expect(work).rejects.toThrow('stopping');
  });

  it('can be told apart from a failure', async () => {
    expect(await settleWithin(Promise.resolve(1), 1000)).toEqual({ status: 'fulfilled' });
    expect(await settleWithin(Promise.reject('no'), 1000)).toEqual({ status: 'rejected', reason: 'no' });
    expect(await settleWithin(never(), 5)).toEqual({ status: 'late' });
  });
});

describe('retry', () => {
  it('repeats until it works, and tells each failure', async () => {
    const failures: number[] = [];
    let calls = 0;
    const operation = async () => {
      if (++calls < 4) throw new Error('away');
      return 'back';
    };

    const onRetry = (_: unknown, count: number) => failures.push(count);
    expect(await retry(operation, { ...quick, retryIf: () => true, onRetry })).toBe('back');
    expect(failures).toEqual([1, 2, 3]);
  });

  it('throws at once what waiting does not mend', async () => {
    let calls = 0;
    const operation = () => {
      calls++;
      throw new TypeError('a mistake in the program');
    };

    const retryIf = (error: unknown) => !(error instanceof TypeError);
    await expect(retry(operation, { ...quick, retryIf })).rejects.toThrow('a mistake in the program');
    expect(calls).toBe(1);
  });

  it('gives up when its time is over, with the last error', async () => {
    let calls = 0;
    const operation = () => Promise.reject(new Error(`failure ${++calls}`));

    await expect(retry(operation, { ...quick, retryIf: () => true, withinMs: 30 })).rejects.toThrow(/failure \d/);
    expect(calls).toBeGreaterThan(1);
  });

  it('leaves an operation that hangs, and a pause, when it is aborted', async () => {
    const stop = new AbortController();
    const hanging = retry(never, { retryIf: () => true, signal: stop.signal });
    const pausing = retry(() => Promise.reject(new Error('away')), {
      firstWaitMs: 60_000,
      longestWaitMs: 60_000,
      retryIf: () => true,
      signal: stop.signal,
    });
    await sleep(1);
    stop.abort(new Error('stopping'));

    await expect(hanging).rejects.toThrow('stopping');
    await expect(pausing).rejects.toThrow('stopping');
    expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
  });

  it('waits twice as long after each failure, up to a bound', () => {
    const waits = [1, 2, 3, 1000].map((failures) =>
      backOffMs(failures, { firstWaitMs: 10, longestWaitMs: 30, random: () => 1 }),
    );

    expect(waits).toEqual([10, 20, 30, 30]);
  });
});

describe('a failure that repeats', () => {
  it('is logged the first time, and then once a minute', () => {
    const { logger, lines } = createRecordingLogger();
    const { now } = performance;
    let nowMs = 0;
    performance.now = () => nowMs;
    try {
      const report = logSparingly(logger, 'Appending failed; retrying', { fields: { topic: 'jobs' } });
      for (; nowMs < 130_000; nowMs += 1000) report(new Error('away'));
    } finally {
      performance.now = now;
    }

    expect(lines().map(({ msg, failures, topic }) => [msg, failures, topic])).toEqual([
      ['Appending failed; retrying', 1, 'jobs'],
      ['Appending failed; retrying', 61, 'jobs'],
      ['Appending failed; retrying', 121, 'jobs'],
    ]);
  });
});
