import { setImmediate as turn } from 'node:timers/promises';

import { createLogger } from '@whetstone/platform';

import { openLocalVectorStore } from './adapters/local-vector-store/local-vector-store.js';
import { operationsOn, someFeedback, success } from './conformance/lesson-operations.js';
import { aCollection, conformanceModel } from './conformance/samples.js';
import type { Row, RowPage, VectorStore } from './domain/ports.js';
import { createGetOutcomes } from './domain/read-outcomes.js';
import { type TemporaryFolder, temporaryFolder } from './test-kit/temporary-folder.js';

const logger = createLogger({ service: 'test', level: 'silent', pretty: false });
const collectionId = aCollection('outcomes', 'shared');
const one = { recommended: { told: 0, succeeded: 0 }, holdout: { told: 1, succeeded: 1 } };

describe('reading outcomes', () => {
  let folder: TemporaryFolder;
  let store: VectorStore;
  beforeAll(async () => {
    folder = await temporaryFolder();
    store = await openLocalVectorStore({ path: folder.path('knowledge.db'), model: conformanceModel, logger });
    await operationsOn(store).upload(collectionId, [], { run: success });
    await operationsOn(store).feedback(someFeedback(collectionId, [], { arm: 'holdout' }), {});
  });
  afterAll(async () => {
    await store.close();
    await folder.remove();
  });

  /** Outcomes of the store, whose pages wait until they are let through. */
  function setUp() {
    const asked: string[] = [];
    const held: (() => void)[] = [];
    const page = async (id: string, options: RowPage): Promise<Row[]> => {
      asked.push(id);
      await new Promise<void>((resolve) => held.push(resolve));
      return store.page(id, options);
    };
    const letThrough = async () => {
      for (const release of held.splice(0)) release();
      await turn();
    };
    return { asked, letThrough, getOutcomes: createGetOutcomes({ store: { page } }) };
  }

  it('is shared by those who ask at the same time; who asks later gets what is there then', async () => {
    const { asked, letThrough, getOutcomes } = setUp();
    const both = Promise.all([getOutcomes({ collectionId }, {}), getOutcomes({ collectionId }, {})]);
    await letThrough();
    expect(await both).toEqual([one, one]);
    expect(asked).toHaveLength(1);

    const again = getOutcomes({ collectionId }, {});
    await letThrough();
    expect(await again).toEqual(one);
    expect(asked).toHaveLength(2);
  });

  it('is done for two collections at a time; others wait their turn', async () => {
    const { asked, letThrough, getOutcomes } = setUp();
    const collections = ['a', 'b', 'c', 'd', 'e'].map((name) => aCollection(name, 'turns'));
    const all = Promise.all(collections.map((id) => getOutcomes({ collectionId: id }, {})));
    await turn();
    expect(asked).toEqual(collections.slice(0, 2));
    let isDone = false;
    void all.then(() => (isDone = true));
    while (!isDone) await letThrough();
    expect(asked).toEqual(collections);
  });

  it('goes on while anyone waits for it, and ends with the last', async () => {
    const { asked, letThrough, getOutcomes } = setUp();
    const [first, second] = [new AbortController(), new AbortController()];
    const left = getOutcomes({ collectionId }, { signal: first.signal });
    const stays = getOutcomes({ collectionId }, {});
    first.abort();
    await expect(left).rejects.toMatchObject({ code: 'cancelled' });
    await letThrough();
    expect(await stays).toEqual(one);

    const late = getOutcomes({ collectionId }, { signal: second.signal });
    second.abort(new DOMException('too late', 'TimeoutError'));
    await expect(late).rejects.toMatchObject({ code: 'deadline_exceeded' });
    const next = getOutcomes({ collectionId }, {});
    await letThrough();
    expect(await next).toEqual(one);
    expect(asked).toHaveLength(3);
  });

  it('gives its turn away if it fails', async () => {
    let isBroken = true;
    const getOutcomes = createGetOutcomes({
      store: { page: async (...asked) => (isBroken ? Promise.reject(new Error('away')) : store.page(...asked)) },
    });
    const failed = ['a', 'b', 'c'].map((name) => getOutcomes({ collectionId: aCollection(name, 'turns') }, {}));
    for (const result of await Promise.allSettled(failed)) expect(result.status).toBe('rejected');
    isBroken = false;
    expect(await getOutcomes({ collectionId }, {})).toEqual(one);
  });
});
