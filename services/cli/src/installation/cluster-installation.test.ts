import { runCommand } from '../test-kit/installation.js';

/** Nobody listens there: it takes more rights than a test has. */
const nobody = '127.0.0.1:1';
const roots = { WHETSTONE_ROOT_SECRET: 'r'.repeat(40) };

describe('a cluster that does not answer', () => {
  it.each([
    ['keys list', 'keys list'],
    ['dead-letters replay', 'dead-letters replay --all'],
    ['topics apply', 'topics apply'],
  ])('is told by %s, where it is Kafka', async (_, command) => {
    const env = { ...roots, WHETSTONE_KAFKA_BROKERS: nobody };

    expect(await runCommand(command.split(' '), env)).toEqual({
      code: 3,
      stdout: '',
      stderr: `Kafka at ${nobody} does not answer\n`,
    });
    expect(JSON.parse((await runCommand([...command.split(' '), '--json'], env)).stderr)).toEqual({
      error: 'log_unavailable',
      message: `Kafka at ${nobody} does not answer`,
    });
  });

  it.each(['export', 'check'])('is told by knowledge %s, where it is Milvus', async (command) => {
    const env = { WHETSTONE_MILVUS_ADDRESS: nobody, WHETSTONE_MILVUS_TIMEOUT_MS: '500' };

    expect(await runCommand(['knowledge', command], env)).toEqual({
      code: 3,
      stdout: '',
      stderr: `Milvus at ${nobody} does not answer\n`,
    });
  });
});

describe('the configuration of a cluster', () => {
  it.each([
    ['keys list', { ...roots, WHETSTONE_KAFKA_BROKERS: nobody, WHETSTONE_KAFKA_SASL_MECHANISM: 'plain' }, 'USERNAME'],
    ['knowledge export', { WHETSTONE_MILVUS_ADDRESS: nobody, WHETSTONE_MILVUS_USERNAME: 'ada' }, 'PASSWORD'],
  ])('is checked by %s before anything is asked', async (command, env, missing) => {
    expect(await runCommand(command.split(' '), env)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(missing),
    });
  });
});
