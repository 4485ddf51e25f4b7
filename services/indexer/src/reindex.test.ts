import { createLogger } from '@whetstone/platform';

import { openLocalVectorStore } from './adapters/local-vector-store/local-vector-store.js';
import { describeReindexing } from './conformance/describe-reindexing.js';
import { temporaryFolder } from './test-kit/temporary-folder.js';

const logger = createLogger({ service: 'test', level: 'silent', pretty: false });

describeReindexing('reindexing local stores', async () => {
  const folder = await temporaryFolder();
  return {
    open: (model) => openLocalVectorStore({ path: folder.path(`${model.name}.db`), model, logger }),
    destroy: () => folder.remove(),
  };
});
