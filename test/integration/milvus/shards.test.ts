import { aCollection, aRow, conformanceModel, createDirectionEmbedder } from '@whetstone/indexer/conformance';
import { checkShardSet, dropShardSet, listShardSets } from '@whetstone/indexer/milvus';
import { createLogger } from '@whetstone/platform';
import { DataType, MilvusClient } from '@zilliz/milvus2-sdk-node';

import { type MilvusUnderTest, startMilvusUnderTest } from './milvus-store.js';

const logger = createLogger({ service: 'test', level: 'silent', pretty: false });
const other = createDirectionEmbedder({ name: 'Another/model 2', dimension: 64 }).model;

describe('the shards of Milvus', () => {
  let under: MilvusUnderTest;
  let client: MilvusClient;
  beforeAll(async () => {
    under = await startMilvusUnderTest();
    client = new MilvusClient({ address: under.milvus.address, logLevel: 'error', timeout: 60_000 });
    await client.connectPromise;
  });
  afterAll(async () => {
    await client?.closeConnection();
    await under?.destroy();
  });
  const names = async () => (await client.showCollections()).data.map(({ name }) => name).sort();

  it('are named after the model, its dimension and their number, and made at the first opening only', async () => {
    const collections = Array.from({ length: 12 }, (_, n) => aCollection(`collection ${n}`));
    const store = await under.open({ config: { shards: 3 } });
    for (const collection of collections) {
      await store.createCollection(collection);
      await store.upsert(collection, [aRow(collection)]);
    }
    await store.close();
    expect(await names()).toEqual([
      'whetstone_conformance__32__0of3',
      'whetstone_conformance__32__1of3',
      'whetstone_conformance__32__2of3',
      'whetstone_conformance__32__markers',
    ]);
    const again = await under.open({ config: { shards: 3 } });
    expect(await again.listCollections()).toEqual(collections.toSorted());
    for (const collection of collections) expect(await again.rowsOfJobs(collection, ['job'])).toHaveLength(1);
    await again.close();
  });

  it('of another model, or in another number, are not made beside without being told to', async () => {
    await expect(under.open({ model: other, config: { shards: 3 } })).rejects.toMatchObject({
      code: 'model_mismatch',
      message: expect.stringMatching(
        /knowledge of conformance \(32 dimensions, 3 shards\), but Another\/model 2 \(64 dimensions, 3 shards\) is configured.*reindex/,
      ),
    });
    await expect(under.open({ config: { shards: 4 } })).rejects.toMatchObject({
      code: 'model_mismatch',
      message: expect.stringContaining('conformance (32 dimensions, 4 shards) is configured'),
    });
    expect(await names()).toHaveLength(4);
  });

  it('can be checked without making any', async () => {
    const options = { config: under.config(), logger };
    await checkShardSet(options, { model: conformanceModel, shards: 3 });
    await expect(checkShardSet(options, { model: other, shards: 3 })).rejects.toMatchObject({ code: 'model_mismatch' });
    expect(await names()).toHaveLength(4);
  });

  it('are listed, and are dropped with all that they hold', async () => {
    const options = { config: under.config(), logger };
    await (await under.open({ model: other, besideOthers: true })).close();
    const sets = [
      { model: conformanceModel, shards: 3 },
      { model: other, shards: 2 },
    ];
    expect(await listShardSets(options)).toEqual(expect.arrayContaining(sets));
    await dropShardSet(options, { model: other, shards: 2 });
    await expect(dropShardSet(options, { model: other, shards: 2 })).rejects.toMatchObject({
      code: 'invalid_argument',
    });
    expect(await listShardSets(options)).toEqual(sets.slice(0, 1));
    expect(await names()).toHaveLength(4);
  });

  it('that somebody has changed are refused', async () => {
    const store = await under.open({ config: { shards: 3 } });
    await store.close();
    const name = 'whetstone_conformance__32__1of3';
    await client.dropCollection({ collection_name: name });
    const fields = [
      { name: 'id', data_type: DataType.VarChar, max_length: 64, is_primary_key: true },
      { name: 'vector', data_type: DataType.FloatVector, dim: 7 },
    ];
    await client.createCollection({ collection_name: name, fields });
    await expect(under.open({ config: { shards: 3 } })).rejects.toMatchObject({
      code: 'model_mismatch',
      message: expect.stringContaining(name),
    });
    await client.dropCollection({ collection_name: name });
    await (await under.open({ config: { shards: 3 } })).close();
    expect(await names()).toContain(name);
  });

  it('say so when no collection fits in any more', async () => {
    const tight = { maxPartitions: 3, besideOthers: true, config: { shards: 1 } };
    const store = await under.open(tight);
    for (const name of ['one', 'two']) await store.createCollection(aCollection(name));
    await expect(store.createCollection(aCollection('three'))).rejects.toMatchObject({
      code: 'shard_full',
      retryable: false,
      message: expect.stringContaining('whetstone_conformance__32__0of1'),
    });
    await store.createCollection(aCollection('one'));
    expect(await store.listCollections()).toHaveLength(2);
    await store.close();
  });
});
