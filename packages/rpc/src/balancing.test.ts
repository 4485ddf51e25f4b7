import { eventually } from '@whetstone/platform/test-kit';
import { aDeletion, aSearch, nothingFound } from './test-kit/messages.js';
import { rpcSite } from './test-kit/rpc-site.js';
import { tapWire, type WireTap } from './test-kit/wire-tap.js';

const { serve, clientOf, ending } = rpcSite();

/** A server that counts its calls. */
async function counting(options: Parameters<typeof serve>[2] = {}) {
  let calls = 0;
  const count = <Result>(result: Result) => {
    return async () => {
      calls++;
      return result;
    };
  };
  const running = await serve(
    'indexer',
    { Search: count(nothingFound), DeleteByIntent: count({ deletedCount: 0, matches: [] }) },
    options,
  );
  return { ...running, calls: () => calls };
}

describe('several replicas', () => {
  it('take turns', async () => {
    const [one, other] = [await counting(), await counting()];
    const client = clientOf('indexer', `ipv4:127.0.0.1:${one.port},127.0.0.1:${other.port}`);
    await eventually(async () => {
      await client.call('Search', aSearch, {});
      return one.calls() > 0 && other.calls() > 0;
    });
    const before = [one.calls(), other.calls()];

    for (let i = 0; i < 20; i++) await client.call('Search', aSearch, {});

    expect([one.calls() - before[0]!, other.calls() - before[1]!]).toEqual([10, 10]);
  });

  it('stand in for one that dies, without an error, and share with it when it is back', async () => {
    const [one, other] = [await counting(), await counting()];
    const client = clientOf('indexer', `ipv4:127.0.0.1:${one.port},127.0.0.1:${other.port}`);
    await eventually(async () => {
      await client.call('Search', aSearch, {});
      return one.calls() > 0 && other.calls() > 0;
    });

    await one.server.stop();
    const until = other.calls() + 30;
    for (let i = 0; i < 30; i++) await client.call('Search', aSearch, {});
    expect(other.calls()).toBe(until);

    const again = await counting({ port: one.port });
    await eventually(async () => {
      await client.call('Search', aSearch, {});
      return again.calls() > 0;
    });
  });
});

describe('a service that is back after all of it was away', () => {
  it('gets also the call that is never repeated, which was made a moment too early', async () => {
    const server = await counting();
    const first = await tapWire(server.port);
    const client = clientOf('indexer', first.target);
    await client.call('Search', aSearch, {});
    await first.close();
    await eventually(() => !client.healthy());

    const call = client.call('DeleteByIntent', aDeletion, {});
    ending(await tapWire(server.port, first.at));

    expect(await call).toEqual({ deletedCount: 0, matches: [] });
    expect(server.calls()).toBe(2);
  });
});

describe('a connection that is old', () => {
  it('is replaced without any call noticing, also of calls that are never repeated', async () => {
    const server = await counting({ connectionAgeMs: 200 });
    const tap = ending(await tapWire(server.port));
    const client = clientOf('indexer', tap.target);
    const failed: unknown[] = [];
    const end = Date.now() + 120_000;
    const caller = async () => {
      while (tap.connections() < 5 && Date.now() < end) {
        await client.call('Search', aSearch, {}).catch((error) => failed.push(error));
        await client.call('DeleteByIntent', aDeletion, {}).catch((error) => failed.push(error));
      }
    };

    await Promise.all([caller(), caller(), caller(), caller()]);

    expect(failed).toEqual([]);
    expect(tap.connections()).toBeGreaterThanOrEqual(5);
  });

  it('waits for the call that is on it', async () => {
    const tap: { current?: WireTap } = {};
    const server = await serve(
      'indexer',
      {
        // Calls of others see to it that the age is noticed; this one is on the first connection and stays there.
        Search: async () => {
          await eventually(() => (tap.current?.connections() ?? 0) > 2);
          return nothingFound;
        },
      },
      { connectionAgeMs: 200 },
    );
    tap.current = ending(await tapWire(server.port));
    const client = clientOf('indexer', tap.current.target);
    let done = false;
    const others = async () => {
      while (!done) await client.call('DeleteByIntent', aDeletion, {});
    };

    const call = client.call('Search', aSearch, {}).finally(() => {
      done = true;
    });

    await Promise.all([expect(call).resolves.toEqual(nothingFound), others()]);
  });
});

describe('a server that vanishes in the middle of a call', () => {
  it('is away: its caller waits for it no longer, and may try again', async () => {
    let working = 0;
    const server = await serve('indexer', {
      DeleteByIntent: () => {
        working++;
        return new Promise<never>(() => {});
      },
    });
    const tap = ending(await tapWire(server.port));
    const call = clientOf('indexer', tap.target).call('DeleteByIntent', aDeletion, {});
    const ended = expect(call).rejects.toMatchObject({ code: 'store_unavailable', retryable: true });
    await eventually(() => working === 1);

    tap.cut();

    await ended;
  });

  it('without a word is missed on both sides all the same', async () => {
    const pings = { everyMs: 200, timeoutMs: 1000 };
    const reasons: unknown[] = [];
    let working = false;
    const server = await serve(
      'indexer',
      {
        DeleteByIntent: (_request, { signal }) => {
          working = true;
          signal?.addEventListener('abort', () => reasons.push(signal.reason));
          return new Promise<never>(() => {});
        },
      },
      { pings },
    );
    const tap = ending(await tapWire(server.port));
    const client = clientOf('indexer', tap.target, { pings });
    const call = client.call('DeleteByIntent', aDeletion, { deadline: Date.now() + 60_000 });
    const ended = expect(call).rejects.toMatchObject({ code: 'store_unavailable', retryable: true });
    await eventually(() => working);

    tap.freeze();

    await ended;
    await eventually(() => reasons.length === 1);
    expect(reasons[0]).toMatchObject({ code: 'cancelled' });
  });
});
