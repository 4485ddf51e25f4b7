import { createSeal } from '@whetstone/identity';

import { TestInstallation } from '../test-kit/installation.js';

let whetstone: TestInstallation;

beforeAll(async () => {
  whetstone = await TestInstallation.create();
});
afterAll(() => whetstone.remove());

describe('errors open', () => {
  it('opens what the installation sealed', async () => {
    const sealed = createSeal(whetstone.roots).seal('job_1', 'the store is full');

    expect(await whetstone.run('errors', 'open', sealed)).toEqual({
      code: 0,
      stdout: 'the store is full\n',
      stderr: '',
    });
    expect(await whetstone.ask('errors', 'open', sealed)).toEqual({ message: 'the store is full' });
  });

  it('refuses what it did not seal', async () => {
    expect(await whetstone.run('errors', 'open', 'bm90aGluZyBvZiBvdXJz')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'This text was not sealed by this installation, or its root secret is missing\n',
    });
  });
});
