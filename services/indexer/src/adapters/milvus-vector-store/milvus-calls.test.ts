import { checked, failureOf, openClient } from './milvus-calls.js';

const kindOf = (run: () => unknown) => {
  try {
    run();
    return 'none';
  } catch (error) {
    return failureOf(error).kind;
  }
};

describe('an answer of Milvus', () => {
  it('is one where both codes say so, in itself or in its status', () => {
    for (const answer of [
      { error_code: 'Success', code: 0 },
      { error_code: 'Success', reason: '' },
      { status: { error_code: 'Success', code: 0 }, data: [] },
    ]) {
      expect(checked(answer)).toBe(answer);
    }
  });

  it('is a failure where one code says so, whichever', () => {
    expect(kindOf(() => checked({ status: { error_code: 'Success', code: 1, reason: 'broken' } }))).toBe('unavailable');
    expect(kindOf(() => checked({ status: { error_code: 'UnexpectedError', code: 0 } }))).toBe('unavailable');
    expect(kindOf(() => checked({ error_code: 200, code: 200, reason: 'p' }))).toBe('no_partition');
  });

  it('is a failure where it says nothing', () => {
    for (const answer of [{}, undefined, null, { status: null }, { status: {} }]) {
      expect(kindOf(() => checked(answer))).toBe('unavailable');
    }
  });

  it('tells what to do next', () => {
    const kinds = { 100: 'no_collection', 101: 'not_loaded', 201: 'not_loaded', 1100: 'refused', 1401: 'credentials' };
    for (const [code, kind] of Object.entries(kinds)) {
      expect(kindOf(() => checked({ error_code: 'UnexpectedError', code: Number(code) }))).toBe(kind);
    }
    const noDatabase = { error_code: 6, code: 6, reason: "database 'x' does not exist" };
    expect(kindOf(() => checked(noDatabase))).toBe('no_database');
    expect(kindOf(() => checked({ ...noDatabase, reason: 'bad expression' }))).toBe('refused');
  });
});

describe('what a request is rejected with', () => {
  it('may be an error of gRPC, an answer, or a mistake of the SDK', () => {
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

describe('the client of Milvus', () => {
  it('leaves an idle connection in peace, which a server would otherwise end for too many pings', async () => {
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
