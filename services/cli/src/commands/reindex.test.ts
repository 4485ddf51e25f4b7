import { TestInstallation } from '../test-kit/installation.js';

let whetstone: TestInstallation;

beforeAll(async () => {
  whetstone = await TestInstallation.create();
});
afterAll(() => whetstone.remove());

describe('reindex', () => {
  it('has nothing to do on a data folder, which holds the vectors of one model', async () => {
    expect(await whetstone.ask('reindex')).toEqual({ from: null, to: 'all-MiniLM-L6-v2-int8' });
    expect((await whetstone.run('reindex')).stdout).toBe(
      'Nothing to move: all knowledge is kept as all-MiniLM-L6-v2-int8.\n',
    );
  });
});
