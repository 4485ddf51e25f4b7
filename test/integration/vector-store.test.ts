import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openLocalVectorStore } from '@whetstone/indexer';
import { conformanceModel, describeVectorStore } from '@whetstone/indexer/conformance';
import { createLogger } from '@whetstone/platform';

const logger = createLogger({ service: 'test', level: 'silent', pretty: false });

describeVectorStore(
  'the local vector store, in every interleaving',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'whetstone-vectors-'));
    return {
      open: () => openLocalVectorStore({ path: join(folder, 'knowledge.db'), model: conformanceModel, logger }),
      destroy: () => rm(folder, { recursive: true, force: true }),
    };
  },
  { interleavings: 'all' },
);
