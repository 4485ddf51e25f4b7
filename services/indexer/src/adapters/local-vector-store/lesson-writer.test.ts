import { DatabaseSync } from '@photostructure/sqlite';
import { createLogger } from '@whetstone/platform';

import { find, grep, lessonOf, operationsOn } from '../../conformance/lesson-operations.js';
import { aCollection, conformanceModel } from '../../conformance/samples.js';
import type { VectorStore } from '../../domain/ports.js';
import { type TemporaryFolder, temporaryFolder } from '../../test-kit/temporary-folder.js';
import { openLocalVectorStore } from './local-vector-store.js';

const logger = createLogger({ service: 'test', level: 'silent', pretty: false });
const collectionId = aCollection('old');

describe('a file that an earlier version wrote to', () => {
  let folder: TemporaryFolder;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());

  async function opened<Result>(work: (store: VectorStore) => Promise<Result>): Promise<Result> {
    const store = await openLocalVectorStore({ path: folder.path('knowledge.db'), model: conformanceModel, logger });
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  }

  function asEarlier(sql: string): void {
    const db = new DatabaseSync(folder.path('knowledge.db'));
    db.exec(sql);
    db.close();
  }

  const lessons = () =>
    opened(async (store) => {
      const { list } = operationsOn(store);
      return (await list({ collectionId, sort: 'recent', limit: 9 }, {})).lessons;
    });

  it('gets its lessons when it is opened', async () => {
    await opened(async (store) => {
      const { upload } = operationsOn(store);
      for (let n = 0; n < 1_200; n++) await upload(collectionId, [find], { jobId: `job-${n}`, acceptedAt: 100 + n });
    });
    asEarlier('DROP TABLE lessons; DROP TABLE lesson_parts; DROP TABLE verdicts');

    expect(await lessons()).toMatchObject([{ id: lessonOf(find), support: 1_200, firstSeen: 100, lastSeen: 1_299 }]);
  });

  it('has no lesson or decision left whose rows are gone', async () => {
    await opened(async (store) => {
      const { upload, decide } = operationsOn(store);
      await upload(collectionId, [find], { jobId: 'a' });
      await upload(collectionId, [grep], { jobId: 'b' });
      await decide(collectionId, lessonOf(grep), { state: 'muted' });
    });
    asEarlier("DELETE FROM names WHERE seq IN (SELECT seq FROM rows WHERE key LIKE 'a/%')");
    asEarlier("DELETE FROM rows WHERE key LIKE 'a/%' OR type = 'decision'");

    expect(await lessons()).toMatchObject([{ id: lessonOf(grep), state: 'active' }]);
  });
});
