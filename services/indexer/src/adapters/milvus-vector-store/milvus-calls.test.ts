import { spawnSync } from 'node:child_process';

import { checked, failureOf, openClient } from './milvus-calls.js';

const kindOf = (run: () => unknown) => {
  try {
    run();
    return 'none';
  } catch (error) {
    return failureOf(error).kind;
  }
};

describe('a response from Milvus', () => {
  it('succeeds if both codes say so, in the response or its status', () => {
    for (const answer of [
      { error_code: 'Success', code: 0 },
      { error_code: 'Success', reason: '' },
      { status: { error_code: 'Success', code: 0 }, data: [] },
    ]) {
      expect(checked(answer)).toBe(answer);
    }
  });

  it('fails if either code says so', () => {
    expect(kindOf(() => checked({ status: { error_code: 'Success', code: 1, reason: 'broken' } }))).toBe('unavailable');
    expect(kindOf(() => checked({ status: { error_code: 'UnexpectedError', code: 0 } }))).toBe('unavailable');
    expect(kindOf(() => checked({ error_code: 200, code: 200, reason: 'p' }))).toBe('no_partition');
  });

  it('fails if it is empty', () => {
    for (const answer of [{}, undefined, null, { status: null }, { status: {} }]) {
      expect(kindOf(() => checked(answer))).toBe('unavailable');
    }
  });

  it('tells the kind of failure', () => {
    const kinds = { 100: 'no_collection', 101: 'not_loaded', 201: 'not_loaded', 1100: 'refused', 1401: 'credentials' };
    for (const [code, kind] of Object.entries(kinds)) {
      expect(kindOf(() => checked({ error_code: 'UnexpectedError', code: Number(code) }))).toBe(kind);
    }
    const noDatabase = { error_code: 6, code: 6, reason: "database 'x' does not exist" };
    expect(kindOf(() => checked(noDatabase))).toBe('no_database');
    expect(kindOf(() => checked({ ...noDatabase, reason: 'bad expression' }))).toBe('refused');
  });
});

describe('a rejected request', () => {
  it('is classified, whether a gRPC error, a response or an error of the SDK', () => {
    const ofGrpc = (code: number, message = '') => failureOf(Object.assign(new Error(message), { code })).kind;
    expect([4, 8, 13, 14].map((code) => ofGrpc(code))).toEqual(new Array(4).fill('unavailable'));
    expect([16, 7, 12, 3].map((code) => ofGrpc(code))).toEqual(['credentials', 'credentials', 'refused', 'refused']);
    expect(ofGrpc(8, 'Received message larger than max (5 vs. 4)')).toBe('refused');
    expect(failureOf({ error_code: 'UnexpectedError', code: 100, reason: 'gone' }).kind).toBe('no_collection');
    expect(failureOf({ status: { error_code: 'x', code: 101 } }).kind).toBe('not_loaded');
    expect(failureOf(new TypeError('results is null')).kind).toBe('unavailable');
    expect(failureOf('odd').kind).toBe('unavailable');
  });
});

describe('the Milvus client', () => {
  it('sends no keepalive pings while idle, so that the server keeps the connection', async () => {
    const client = openClient({
      address: '127.0.0.1:1',
      database: 'default',
      searchConsistency: 'bounded',
      timeoutMs: 1000,
    });

    expect(client.channelOptions).toMatchObject({ 'grpc.keepalive_permit_without_calls': 0 });
    await client.closeConnection();
  });
});

it('runs many operations at once without a warning about leaking listeners', () => {
  const module = JSON.stringify(new URL('./milvus-calls.js', import.meta.url).href);
  const script = `
    import(${module}).then(async ({ createRetryingCalls }) => {
      const calls = createRetryingCalls({ address: 'milvus:19530', timeoutMs: 1000, logger: console });
      await Promise.all(Array.from({ length: 20 }, () => calls.withRetries(() => new Promise(setImmediate))));
    });`;

  // Warnings do not reach listeners inside of a test: a separate process prints them.
  expect(spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
});
