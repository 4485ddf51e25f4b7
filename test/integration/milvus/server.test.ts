import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { type Milvus, startMilvus } from '@whetstone/deploy';
import { DataType, MilvusClient } from '@zilliz/milvus2-sdk-node';

import { eventually } from '../../support/eventually.js';

/** The server that the suites and `npm run cluster` start, seen through a client. */
describe('our own Milvus Lite', () => {
  let folder: string;
  let milvus: Milvus;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whetstone-milvus-'));
    milvus = await startMilvus({ folder: join(folder, 'first') });
  });

  afterAll(async () => {
    await milvus?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function withClient<T>(use: (client: MilvusClient) => Promise<T>): Promise<T> {
    const client = new MilvusClient({ address: milvus.address, logLevel: 'error', timeout: 10_000 });
    try {
      await client.connectPromise;
      return await use(client);
    } finally {
      await client.closeConnection();
    }
  }

  it('answers, and keeps its collections over kill −9', async () => {
    const fields = [
      { name: 'id', data_type: DataType.VarChar, is_primary_key: true, max_length: 64 },
      { name: 'vector', data_type: DataType.FloatVector, dim: 4 },
    ];
    await withClient((client) => client.createCollection({ collection_name: 'kept', fields }));
    await milvus.kill();
    await milvus.restart();
    // Channels of one process share the connection state of an address, including a recent failure.
    const names = await eventually(
      () =>
        withClient(async (client) => (await client.showCollections()).data.map(({ name }) => name)).catch(
          () => undefined,
        ),
      { what: 'Milvus answers again' },
    );
    expect(names).toEqual(['kept']);
  });

  it('shares its port with nobody, not even with SO_REUSEPORT', async () => {
    const port = milvus.address.split(':')[1]!;
    const bind = `s.bind(("127.0.0.1", ${port})); s.listen()`;
    const sharing = `import socket; s = socket.socket(); s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1); ${bind}`;
    await expect(promisify(execFile)('python3', ['-c', sharing])).rejects.toThrow('Address already in use');
  });

  it('keeps its port while it is down', async () => {
    const port = milvus.address.split(':')[1]!;
    await milvus.kill();
    await mkdir(join(folder, 'second'));
    await writeFile(join(folder, 'second', 'port'), port);
    await expect(startMilvus({ folder: join(folder, 'second') })).rejects.toThrow(`Port ${port} on 127.0.0.1`);
    await milvus.restart();
  });
});
