import { AppError } from '@whetstone/platform';

import type { MethodName, RequestTo } from './rpc-services.js';
import { failingServer } from './test-kit/failing-server.js';
import { aDeletion, aReplacement, aSearch, plainHandlers } from './test-kit/messages.js';
import { rpcSite } from './test-kit/rpc-site.js';

const { serve, clientOf, ending } = rpcSite();

const requests: { [Method in MethodName<'indexer'>]: RequestTo<'indexer', Method> } = {
  Search: aSearch,
  GetRuns: { collectionId: 'c', jobIds: ['j'] },
  FindDeletedRuns: { collectionId: 'c', runs: [] },
  DescribeCollections: { collectionIds: [] },
  Replace: aReplacement,
  DeleteByIntent: aDeletion,
  EraseCollection: { collectionId: 'c', requestedAt: 1 },
  ListLessons: { collectionId: 'c', sort: 'recent', limit: 1 },
  GetLesson: { collectionId: 'c', lesson: 'l' },
  DecideLesson: { collectionId: 'c', decision: { lesson: 'l', state: 'muted', keyId: 'k', decidedAt: 1 } },
  DeleteLesson: { collectionId: 'c', lesson: 'l', requestedAt: 1 },
  WriteLesson: { collectionId: 'c', appliesWhen: 'find logs', text: 'x', keyId: 'k', writtenAt: 1 },
  GiveFeedback: { collectionId: 'c', tokenDigest: 't', insightIds: [], success: true, keyId: 'k', givenAt: 1 },
  GetOutcomes: { collectionId: 'c' },
  GetSettings: { collectionId: 'c' },
  ChangeSettings: { collectionId: 'c', settings: {}, keyId: 'k', changedAt: 1 },
};

const repeated = [
  'Search',
  'GetRuns',
  'Replace',
  'ListLessons',
  'GetLesson',
  'WriteLesson',
  'GetOutcomes',
  'GetSettings',
  'ChangeSettings',
] as const;
const sentOnce = ['DeleteByIntent', 'EraseCollection', 'DecideLesson', 'DeleteLesson', 'GiveFeedback'] as const;

describe('a call whose connection or server fails first', () => {
  it.each(repeated)('is made again where that changes nothing: %s', async (method) => {
    const server = ending(await failingServer(2));
    const client = clientOf('indexer', server.target);

    await client.call(method, requests[method], {});

    expect(server.calls()).toBe(3);
  });

  it.each(sentOnce)('is never made again where part of it may have been done: %s', async (method) => {
    const server = ending(await failingServer(1));
    const client = clientOf('indexer', server.target);

    const call = client.call(method, requests[method], {});

    await expect(call).rejects.toMatchObject({ code: 'store_unavailable', retryable: true });
    expect(server.calls()).toBe(1);
  });

  it.each(['No connection established', 'Stream refused by server'])(
    'is never made again for the words of an answer: %s',
    async (words) => {
      const server = ending(await failingServer(1, { details: words }));
      const client = clientOf('indexer', server.target);

      const call = client.call('DeleteByIntent', aDeletion, {});

      await expect(call).rejects.toMatchObject({ code: 'store_unavailable', retryable: true });
      expect(server.calls()).toBe(1);
    },
  );

  it('reaches also a server of an earlier version, which acknowledges nothing, and once', async () => {
    const server = ending(await failingServer(0, { acknowledges: false }));

    await clientOf('indexer', server.target).call('DeleteByIntent', aDeletion, {});

    expect(server.calls()).toBe(1);
  });

  it('is given up after a few goes', async () => {
    const server = ending(await failingServer(100));
    const client = clientOf('indexer', server.target);

    await expect(client.call('Search', aSearch, {})).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(server.calls()).toBe(5);
  });
});

describe('a service that answers with an error', () => {
  it('has answered: it is not asked again, however retryable the error is', async () => {
    let calls = 0;
    const { target } = await serve('indexer', {
      Search: async () => {
        calls++;
        throw new AppError('store_unavailable', 'the store is away', { retryable: true });
      },
    });

    const call = clientOf('indexer', target).call('Search', aSearch, {});

    await expect(call).rejects.toMatchObject({ code: 'store_unavailable', message: 'the store is away' });
    expect(calls).toBe(1);
  });

  it('that another replica may answer better is asked of another replica', async () => {
    const unread = await serve('status', {
      GetJob: () => Promise.reject(new AppError('status_unavailable', 'still reading', { retryable: true })),
    });
    const read = await serve('status', { GetJob: plainHandlers.status.GetJob });
    const client = clientOf('status', `ipv4:127.0.0.1:${unread.port},127.0.0.1:${read.port}`);

    for (let i = 0; i < 4; i++) {
      expect(await client.call('GetJob', { jobId: 'j' }, {})).toEqual({ jobId: 'j', status: 'processing' });
    }
  });
});

describe('a client that is closed', () => {
  it('rejects calls as it does where nobody answers', async () => {
    const client = clientOf('indexer', 'ipv4:127.0.0.1:1');
    client.close();

    const away = { code: 'store_unavailable', retryable: true };
    await expect(client.call('Search', aSearch, {})).rejects.toMatchObject(away);
    await expect(client.call('DeleteByIntent', aDeletion, {})).rejects.toMatchObject(away);
  });
});
