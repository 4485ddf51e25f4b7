import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '@whetstone/platform/test-kit';

import { aDeletion, aSearch } from './test-kit/messages.js';
import { refusingServer } from './test-kit/refusing-server.js';
import { rpcSite } from './test-kit/rpc-site.js';
import { tapWire } from './test-kit/wire-tap.js';

const { serve, clientOf, ending } = rpcSite();

const nothingDeleted = { deletedCount: 0, matches: [] };

/** Replicas whose deletions take a moment, and how often each of those has begun. */
function deletingSite() {
  const begun = new Map<string, number>();
  const replica = (port = 0) =>
    serve(
      'indexer',
      {
        async DeleteByIntent({ intent }) {
          begun.set(intent, (begun.get(intent) ?? 0) + 1);
          await pause(Math.random() * 20);
          return nothingDeleted;
        },
      },
      { port, graceMs: 20_000 },
    );
  return { replica, begun };
}

describe('replicas that are restarted one right after another', () => {
  it('lose no call and get none twice, also of those that are never repeated', async () => {
    const { replica, begun } = deletingSite();
    const replicas = [await replica(), await replica()];
    const client = clientOf('indexer', `ipv4:${replicas.map(({ port }) => `127.0.0.1:${port}`).join(',')}`);
    const failed: unknown[] = [];
    let made = 0;
    let done = false;
    const caller = async () => {
      while (!done) {
        const intent = `intent ${made++}`;
        await client.call('DeleteByIntent', { ...aDeletion, intent }, {}).catch((error) => failed.push(error));
      }
    };
    const callers = Array.from({ length: 4 }, caller);

    for (let round = 0; round < 6; round++) {
      for (const [at, { server, port }] of replicas.entries()) {
        await server.stop();
        replicas[at] = await replica(port);
      }
    }
    done = true;
    await Promise.all(callers);

    expect(failed).toEqual([]);
    expect(begun.size).toBe(made);
    expect([...begun.values()].filter((times) => times > 1)).toEqual([]);
  });
});

describe('a call that is never repeated', () => {
  it('is sent again for as long as servers refuse it unread', async () => {
    const server = ending(await refusingServer(4));
    const client = clientOf('indexer', server.target);

    expect(await client.call('DeleteByIntent', aDeletion, {})).toEqual(nothingDeleted);
    expect(server.calls()).toBe(5);
  });

  it('is given up where they go on refusing it', async () => {
    const server = ending(await refusingServer(Number.POSITIVE_INFINITY));
    const client = clientOf('indexer', server.target, { arrivalMs: 500 });

    const call = client.call('DeleteByIntent', aDeletion, {});

    await expect(call).rejects.toMatchObject({ code: 'store_unavailable', retryable: true });
    expect(server.calls()).toBeGreaterThan(2);
  });

  it('is not sent to another replica once one has begun with it', async () => {
    let begun = 0;
    const deletion = async () => {
      begun++;
      return new Promise<never>(() => {});
    };
    const tap = ending(await tapWire((await serve('indexer', { DeleteByIntent: deletion })).port));
    const other = ending(await tapWire((await serve('indexer', { DeleteByIntent: deletion })).port));
    const client = clientOf('indexer', `ipv4:127.0.0.1:${tap.at},127.0.0.1:${other.at}`);
    await eventually(async () => {
      await client.call('Search', aSearch, {});
      return tap.connections() === 1 && other.connections() === 1;
    });
    const call = client.call('DeleteByIntent', aDeletion, {});
    const ended = expect(call).rejects.toMatchObject({ code: 'store_unavailable', retryable: true });
    await eventually(() => begun === 1);

    tap.cut();
    other.cut();

    await ended;
    await client.call('Search', aSearch, {});
    expect(begun).toBe(1);
  });
});
