import { createRootSecrets, createSeal } from '@whetstone/identity';

import { runCommand, TestInstallation } from '../test-kit/installation.js';

const root = 'r'.repeat(40);
const sealed = createSeal(createRootSecrets(root)).seal('job_1', 'the store is full');
const opened = { code: 0, stdout: 'the store is full\n' };

describe('where nothing of a cluster is set', () => {
  it('a data folder is meant: that of the option, then that of the variable', async () => {
    const [one, other] = [await TestInstallation.create(), await TestInstallation.create()];
    const ofOne = createSeal(one.roots).seal('job_1', 'one');
    const env = { WHETSTONE_DATA: other.folder.path };

    expect(await runCommand(['errors', 'open', ofOne, '--data', one.folder.path], env)).toMatchObject({ code: 0 });
    expect(await runCommand(['errors', 'open', ofOne], env)).toMatchObject({ code: 1 });
    await Promise.all([one.remove(), other.remove()]);
  });

  it('names of Services near it, which Kubernetes sets, change nothing', async () => {
    const env = { WHETSTONE_KAFKA_PORT: 'tcp://10.0.0.1:9092', WHETSTONE_MILVUS_SERVICE_HOST: '10.0.0.2' };

    expect((await runCommand(['keys', 'list', '--data', '/nowhere'], env)).stderr).toContain('There is no data folder');
  });
});

describe('where a variable of a cluster is set', () => {
  it('a command asks for no more of the configuration than it needs', async () => {
    expect(await runCommand(['errors', 'open', sealed], { WHETSTONE_ROOT_SECRET: root })).toMatchObject(opened);
  });

  it('a variable of the service that the container runs is no mistake', async () => {
    const env = { WHETSTONE_ROOT_SECRET: root, WHETSTONE_HTTP_PORT: '80', WHETSTONE_DATA: '/var/lib/whetstone' };

    expect(await runCommand(['errors', 'open', sealed], env)).toMatchObject(opened);
  });

  it('a previous root still opens what it sealed', async () => {
    const env = { WHETSTONE_ROOT_SECRET: 'n'.repeat(40), WHETSTONE_PREVIOUS_ROOT_SECRETS: root };

    expect(await runCommand(['errors', 'open', sealed], env)).toMatchObject(opened);
  });

  it('everything that is missing or misspelt is said at once, and why a cluster is meant', async () => {
    const env = { WHETSTONE_KAFKA_BROKER: 'one:9092', WHETSTONE_ROOT_SECRET: 'short' };
    const { code, stdout, stderr } = await runCommand(['keys', 'list'], env);

    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^Invalid configuration \(3 errors\):\n/);
    expect(stderr).toContain('WHETSTONE_KAFKA_BROKER is not a known setting; did you mean');
    expect(stderr).toContain('WHETSTONE_KAFKA_BROKERS is required');
    expect(stderr).toContain('WHETSTONE_ROOT_SECRET must NOT have fewer than 32 characters');
    expect(stderr).toContain('These variables select a cluster: WHETSTONE_KAFKA_BROKER, WHETSTONE_ROOT_SECRET.');
    expect(stderr).not.toContain('short');
  });

  it('a data folder on the command line is a contradiction', async () => {
    const env = { WHETSTONE_KAFKA_BROKERS: 'one:9092' };

    expect(await runCommand(['keys', 'list', '--data', './data'], env)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/--data \.\/data names a data folder.*WHETSTONE_KAFKA_BROKERS.*Use one/),
    });
  });
});
