import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLocalVectorStore } from '@whetstone/indexer';
import { createLogger } from '@whetstone/platform';
import { sends, startScriptedEndpoint } from '@whetstone/platform/test-kit';
import { openKnowledge, readEmbedding } from './open-knowledge.js';

const logger = createLogger({ service: 'cli', level: 'silent', pretty: false });

describe('the knowledge that commands work on', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whetstone-knowledge-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const open = (env: Record<string, string>) =>
    openKnowledge(logger, readEmbedding(env), (model) =>
      openLocalVectorStore({ path: join(folder, 'knowledge.db'), model, logger }),
    );

  it('is embedded by the model that the server is configured with', async () => {
    const endpoint = await startScriptedEndpoint(sends(200, { data: [{ embedding: [0, 3, 4] }] }));
    const { part, close } = await open({
      WHETSTONE_EMBEDDING_MODEL: 'embed-1',
      WHETSTONE_EMBEDDING_DIMENSION: '3',
      WHETSTONE_EMBEDDING_BASE_URL: endpoint.url,
      WHETSTONE_HTTP_PORT: '8080',
    });

    expect(part.model).toEqual({ name: 'embed-1', dimension: 3 });
    const vector = await (await part.embedder()).embed('a task', 'background');
    expect([...vector].map((value) => value.toFixed(2))).toEqual(['0.00', '0.60', '0.80']);
    await close();
    await endpoint.stop();
  });

  it('is embedded by the model that comes along where none is named', async () => {
    const { part, close } = await open({});

    expect(part.model).toEqual({ name: 'all-MiniLM-L6-v2-int8', dimension: 384 });
    await close();
  });

  it('is not opened with half of a setting', async () => {
    expect(() => readEmbedding({ WHETSTONE_EMBEDDING_DIMENSION: '3' })).toThrow('WHETSTONE_EMBEDDING_MODEL');
  });
});
