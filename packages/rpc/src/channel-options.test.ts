import { maxMessageBytes } from './channel-options.js';
import { aReplacement, aSearch, nothingFound } from './test-kit/messages.js';
import { rpcSite } from './test-kit/rpc-site.js';

const { serve, clientOf } = rpcSite();

describe('the size of messages', () => {
  it('takes what an upload of the largest body makes of itself', async () => {
    const sizes: number[] = [];
    const { target } = await serve('indexer', {
      Replace: async ({ intent }) => {
        sizes.push(intent.length);
        return { outcome: 'stored', insightsStored: 0 };
      },
    });
    const largestBody = 7 * 1024 * 1024;

    await clientOf('indexer', target).call('Replace', { ...aReplacement, intent: 'x'.repeat(largestBody) }, {});

    expect(sizes).toEqual([largestBody]);
  });

  it('has a bound on the way there, kept before anything is sent: too_large, which waiting does not mend', async () => {
    const { target, registry } = await serve('indexer');
    const client = clientOf('indexer', target);

    const call = client.call('Replace', { ...aReplacement, intent: 'x'.repeat(maxMessageBytes) }, {});

    await expect(call).rejects.toMatchObject({ code: 'too_large', retryable: false });
    expect(await registry.metrics()).not.toMatch(/rpc_method="Replace".*\} [1-9]/);
    expect(await client.call('Search', aSearch, {})).toEqual(nothingFound);
  });

  it('has a bound on the way back', async () => {
    const { target } = await serve('analyser', {
      Enhance: async () => ({
        response: 'x'.repeat(maxMessageBytes),
        confidenceScore: 0,
        enhancementId: 'e',
        recommendations: [],
        holdout: false,
      }),
    });

    const call = clientOf('analyser', target).call('Enhance', { collectionId: 'c', inputText: 'x', context: {} }, {});

    await expect(call).rejects.toMatchObject({ code: 'too_large', retryable: false });
  });
});
