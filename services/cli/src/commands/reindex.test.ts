import { defaultCollectionIdOf } from '@whetstone/identity';

import { TestInstallation } from '../test-kit/installation.js';
import { fill, rowsIn, rowsOf } from '../test-kit/knowledge.js';

let whetstone: TestInstallation;

beforeAll(async () => {
  whetstone = await TestInstallation.create();
});
afterAll(() => whetstone.remove());

describe('reindex', () => {
  it('has nothing to do on a data folder, which holds the vectors of one model', async () => {
    expect(await whetstone.ask('reindex')).toEqual({ from: null, to: 'all-MiniLM-L6-v2-int8', upgraded: 0 });
    expect((await whetstone.run('reindex')).stdout).toBe(
      'Nothing to move: all knowledge is stored as all-MiniLM-L6-v2-int8.\n',
    );
  });

  it('writes rows of an earlier version anew, once', async () => {
    const acme = defaultCollectionIdOf('acme');
    await fill(whetstone, [...rowsOf(acme, 'job_1', { earlier: true }), ...rowsOf(acme, 'job_2')]);

    expect((await whetstone.run('reindex')).stdout).toBe(
      'Nothing to move: all knowledge is stored as all-MiniLM-L6-v2-int8.\n1 rows of an earlier version upgraded.\n',
    );
    expect(await whetstone.ask('reindex')).toMatchObject({ upgraded: 0 });
    const insights = (await rowsIn(whetstone, acme)).filter(({ type }) => type === 'insight');
    expect(insights.map(({ body }) => JSON.parse(body).insight)).toMatchObject([
      { title: 'Use find', scope: 'task', rule: 'old', actions: [], effects: [] },
      { title: 'Use find', scope: 'task', rule: 'a-rule' },
    ]);
  });
});
