import type { SearchHit } from '@whetstone/contracts';
import type { RpcClient } from '@whetstone/rpc';

import { createGrpcKnowledgeBase } from './grpc-peers.js';

it('reads the insights of an indexer of the earlier version as what they are', async () => {
  const said = {
    kind: 'recovery',
    title: 't',
    content: 'c',
    steps: [],
    polarity: 'success',
    evidence: [],
    confidence: 1,
  };
  const ofBefore = { id: 'old', insight: { ...said, example: 'ls', actions: [], effects: [] } };
  const typed = { ...said, scope: 'format', rule: 'r', actions: ['a'], effects: ['changes'] };
  const hits = [ofBefore, { id: 'new', insight: typed }] as unknown as SearchHit[];
  const client = { call: async () => ({ hits }) } as unknown as RpcClient<'indexer'>;

  const found = await createGrpcKnowledgeBase(client).search({ collectionId: 'c', text: 't', limit: 2 }, {});

  expect(found.hits).toMatchObject([
    { id: 'old', insight: { scope: 'error', rule: 'old', effects: ['unreadable'] } },
    { id: 'new', insight: typed },
  ]);
  expect(found).toMatchObject({ verdicts: [], settings: {} });
});
