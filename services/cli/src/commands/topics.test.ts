import { topics } from '@whetstone/contracts';

import { TestInstallation } from '../test-kit/installation.js';

let whetstone: TestInstallation;

beforeAll(async () => {
  whetstone = await TestInstallation.create();
});
afterAll(() => whetstone.remove());

describe('topics apply', () => {
  it('finds the topics of a data folder as they should be', async () => {
    const names = Object.values(topics).map(({ name }) => name);

    expect(await whetstone.ask('topics', 'apply')).toEqual({
      topics: names.map((topic) => ({ topic, created: false, weaknesses: [] })),
    });
    expect((await whetstone.run('topics', 'apply')).stdout).toBe(names.map((name) => `${name} exists\n`).join(''));
  });
});
