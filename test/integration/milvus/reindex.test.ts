import { describeReindexing } from '@whetstone/indexer/conformance';

import { startMilvusUnderTest } from './milvus-store.js';

describeReindexing('reindexing shards of Milvus', async () => {
  const { open, destroy } = await startMilvusUnderTest();
  return { open: (model) => open({ model, besideOthers: true, config: { shards: 1 } }), destroy };
});
