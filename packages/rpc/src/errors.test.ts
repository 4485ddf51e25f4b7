import { AppError, type ErrorCode } from '@whetstone/platform';
import { eventually } from '@whetstone/platform/test-kit';

import { statusOfCode } from './error-details.js';
import { aDeletion, aSearch, nothingFound } from './test-kit/messages.js';
import { freePort, rpcSite } from './test-kit/rpc-site.js';

const { serve, clientOf } = rpcSite();

const codes = Object.keys(statusOfCode) as ErrorCode[];

/** `cancelled` is for callers that have cancelled; one that has not is told that the service went away. */
const told = codes.filter((code) => code !== 'cancelled');

describe('an error of the domain', () => {
  it.each(told)('%s survives the trip: code, retryable and message, and nothing else', async (code) => {
    const cause = new Error('host db-7, password hunter2');
    const { target } = await serve('indexer', {
      DeleteByIntent: async ({ dryRun }) => {
        throw new AppError(code, `Zürich – 東京 – 🪨 ${code}`, { retryable: dryRun, cause });
      },
    });
    const client = clientOf('indexer', target);

    for (const retryable of [true, false]) {
      const error = await client.call('DeleteByIntent', { ...aDeletion, dryRun: retryable }, {}).catch((e) => e);

      expect(error).toBeInstanceOf(AppError);
      expect(error).toMatchObject({ code, retryable, message: `Zürich – 東京 – 🪨 ${code}` });
      expect(JSON.stringify([error.cause, error.stack])).not.toMatch(/db-7|hunter2/);
    }
  });

  it('crosses a second service unchanged', async () => {
    const indexer = await serve('indexer', {
      Search: () => Promise.reject(new AppError('shard_full', 'no room in shard 3')),
    });
    const toIndexer = clientOf('indexer', indexer.target);
    const analyser = await serve('analyser', {
      Enhance: async (_request, call) => {
        await toIndexer.call('Search', aSearch, call);
        throw new Error('unreachable');
      },
    });

    const call = clientOf('analyser', analyser.target).call(
      'Enhance',
      { collectionId: 'c', inputText: 'x', context: {} },
      {},
    );

    await expect(call).rejects.toMatchObject({ code: 'shard_full', message: 'no room in shard 3' });
  });

  it('that is longer than a header may be arrives shortened', async () => {
    const { target } = await serve('indexer', {
      Search: () => Promise.reject(new AppError('internal', 'x'.repeat(1_000_000))),
    });

    const error = await clientOf('indexer', target)
      .call('Search', aSearch, {})
      .catch((e) => e);

    expect(error).toMatchObject({ code: 'internal', message: expect.stringMatching(/^x{100,}$/) });
  });
});

describe('a mistake in a service', () => {
  it('is an internal error to its caller, who gets none of its words, and is logged where it happened', async () => {
    const { target, lines } = await serve('indexer', {
      Search: () => Promise.reject(new TypeError('undefined is not a function at secret.ts')),
    });

    const error = await clientOf('indexer', target)
      .call('Search', aSearch, {})
      .catch((e) => e);

    expect(error).toMatchObject({ code: 'internal', retryable: false });
    expect(`${error.message} ${error.stack} ${error.cause}`).not.toContain('secret.ts');
    await eventually(() => lines().length > 0);
    expect(lines()).toContainEqual(
      expect.objectContaining({ level: 'error', err: expect.objectContaining({ type: 'TypeError' }) }),
    );
  });

  it('whose answer does not fit its proto is an internal error, and the server lives on', async () => {
    const broken: unknown = { outcome: 'no such outcome', insightsStored: 0 };
    const { target } = await serve('indexer', { Replace: async () => broken as never });
    const client = clientOf('indexer', target);

    await expect(client.call('Replace', {} as never, {})).rejects.toMatchObject({ code: 'internal' });
    expect(await client.call('Search', aSearch, {})).toEqual(nothingFound);
  });
});

describe('what cannot be read', () => {
  it('as a request is an invalid argument', async () => {
    // Neither side knows the other's messages: a search for the analyser is garbage to the status service.
    const { target } = await serve('indexer');
    const client = clientOf('indexer', target);

    await expect(client.call('Replace', { insights: [{}] } as never, {})).rejects.toMatchObject({
      code: 'invalid_argument',
    });
  });
});

describe('a service that is away', () => {
  it.each([
    ['status', 'status_unavailable'],
    ['indexer', 'store_unavailable'],
    ['analyser', 'analyser_unavailable'],
  ] as const)('is, for %s, %s, and retryable', async (name, code) => {
    const client = clientOf(name, `ipv4:127.0.0.1:${await freePort()}`);
    const anyMethod = { status: 'GetJob', indexer: 'Search', analyser: 'Enhance' }[name] as never;

    await expect(client.call(anyMethod, {} as never, {})).rejects.toMatchObject({ code, retryable: true });
    expect(client.healthy()).toBe(false);
  });
});
