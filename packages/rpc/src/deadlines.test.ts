import { AppError, type CallContext } from '@whetstone/platform';
import { eventually } from '@whetstone/platform/test-kit';

import type { RpcHandlers } from './rpc-services.js';
import { anEnhancement, aSearch, nothingFound } from './test-kit/messages.js';
import { rpcSite } from './test-kit/rpc-site.js';

const { serve, clientOf } = rpcSite();

const never = () => new Promise<never>(() => {});

describe('the deadline of a call', () => {
  it('is the same all the way down', async () => {
    const heard: CallContext[] = [];
    const { toAnalyser } = await twoHops(async (_request, call) => {
      heard.push(call);
      return nothingFound;
    });
    const deadline = Date.now() + 30_000;

    await toAnalyser.call('Enhance', anEnhancement, { deadline });

    // It travels as the time that is left, so it is the same but for the time that the trip takes.
    expect(heard[0]?.deadline).toBeGreaterThan(deadline - 10_000);
    expect(heard[0]?.deadline).toBeLessThan(deadline + 10_000);
  });

  it('ends the call with deadline_exceeded, and the work below it', async () => {
    const reasons: unknown[] = [];
    const { toAnalyser } = await twoHops((_request, { signal }) => {
      signal?.addEventListener('abort', () => reasons.push(signal.reason));
      return never();
    });

    const call = toAnalyser.call('Enhance', anEnhancement, { deadline: Date.now() + 2000 });

    await expect(call).rejects.toMatchObject({ code: 'deadline_exceeded' });
    await eventually(() => reasons.length === 1);
    expect(reasons[0]).toMatchObject({ code: 'deadline_exceeded' });
  });

  it('that has passed already makes no call', async () => {
    let calls = 0;
    const { target } = await serve('indexer', {
      Search: async () => {
        calls++;
        return nothingFound;
      },
    });

    const call = clientOf('indexer', target).call('Search', aSearch, { deadline: Date.now() - 1 });

    await expect(call).rejects.toMatchObject({ code: 'deadline_exceeded' });
    expect(calls).toBe(0);
  });

  it('is there also where the caller has none', async () => {
    const heard: CallContext[] = [];
    const { target } = await serve('indexer', {
      Search: async (_request, call) => {
        heard.push(call);
        return nothingFound;
      },
    });

    await clientOf('indexer', target).call('Search', aSearch, {});

    expect(heard[0]?.deadline).toBeGreaterThan(Date.now() - 60_000);
    expect(heard[0]?.deadline).toBeLessThan(Date.now() + 60_000);
  });
});

describe('a call that is cancelled', () => {
  it('ends the work two services further down, and fails with the reason', async () => {
    const reasons: unknown[] = [];
    const working: boolean[] = [];
    const { toAnalyser } = await twoHops((_request, { signal }) => {
      working.push(true);
      signal?.addEventListener('abort', () => reasons.push(signal.reason));
      return never();
    });
    const controller = new AbortController();
    const call = toAnalyser.call('Enhance', anEnhancement, { signal: controller.signal });
    const ended = expect(call).rejects.toThrow('The client went away');
    await eventually(() => working.length === 1);

    controller.abort(new AppError('cancelled', 'The client went away'));

    await ended;
    await eventually(() => reasons.length === 1);
    expect(reasons[0]).toMatchObject({ code: 'cancelled' });
  });

  it('before it began reaches nobody', async () => {
    let calls = 0;
    const { target } = await serve('indexer', {
      Search: async () => {
        calls++;
        return nothingFound;
      },
    });

    const call = clientOf('indexer', target).call('Search', aSearch, { signal: AbortSignal.abort() });

    await expect(call).rejects.toMatchObject({ code: 'cancelled' });
    expect(calls).toBe(0);
  });

  it('leaves nothing behind on the signal of a caller that lives on', async () => {
    const { target } = await serve('indexer');
    const client = clientOf('indexer', target);
    const { signal } = new AbortController();
    let listeners = 0;
    const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
    signal.addEventListener = ((...given: Parameters<typeof add>) => {
      listeners++;
      add(...given);
    }) as typeof signal.addEventListener;
    signal.removeEventListener = ((...given: Parameters<typeof remove>) => {
      listeners--;
      remove(...given);
    }) as typeof signal.removeEventListener;

    for (let i = 0; i < 5; i++) await client.call('Search', aSearch, { signal });

    expect(listeners).toBe(0);
  });

  it('that went well tells no work afterwards that it was given up', async () => {
    const signals: AbortSignal[] = [];
    const { target } = await serve('indexer', {
      Search: async (_request, { signal }) => {
        if (signal) signals.push(signal);
        return nothingFound;
      },
    });
    const client = clientOf('indexer', target);

    for (let i = 0; i < 3; i++) await client.call('Search', aSearch, {});

    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false, false]);
  });
});

/** An analyser that passes on to an indexer what accompanies a call. */
async function twoHops(search: RpcHandlers<'indexer'>['Search']) {
  const indexer = await serve('indexer', { Search: search });
  const toIndexer = clientOf('indexer', indexer.target);
  const analyser = await serve('analyser', {
    Enhance: async ({ inputText }, call) => {
      await toIndexer.call('Search', aSearch, call);
      return { response: inputText, confidenceScore: 0, enhancementId: 'e', recommendations: [], holdout: false };
    },
  });
  return { toAnalyser: clientOf('analyser', analyser.target) };
}
