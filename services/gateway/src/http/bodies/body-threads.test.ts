import { setTimeout as sleep } from 'node:timers/promises';
import { createRecordingLogger } from '@whetstone/platform/test-kit';
import { type BodyThreads, createBodyThreads } from './body-threads.js';

/** A thread that does what the body says: answers with it, hangs, or ends. */
const obedient = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ id, payload }) => {
      const text = new TextDecoder().decode(payload.body.bytes);
      if (text === 'end') process.exit(1);
      if (text !== 'hang') parentPort.postMessage({ id, value: { made: text, unpackedBytes: 0, cpuMs: 0 } });
    });
  `)}`,
);
const opened: BodyThreads[] = [];

const inputOf = (bytes: Buffer) => ({ body: { bytes, isZipped: false }, queryProblems: [] });

afterEach(async () => {
  await Promise.all(opened.splice(0).map((threads) => threads.close()));
});

describe('threads that read bodies', () => {
  it('take the accounts in turn, however much one of them sends', async () => {
    const { read } = setUp();
    const done: string[] = [];
    const finish = (account: string, text: string) => read(text, { account }).then(() => done.push(text));

    await Promise.all([finish('a', 'a1'), finish('a', 'a2'), finish('a', 'a3'), finish('b', 'b1'), finish('a', 'a4')]);

    expect(done.indexOf('b1')).toBeLessThanOrEqual(2);
  });

  it('are replaced if they end or hang, and the body gets a 503 with Retry-After', async () => {
    const { read, overloads, logged } = setUp({ timeoutMs: 3000 });

    for (const text of ['end', 'hang']) {
      await expect(read(text)).rejects.toMatchObject({
        status: 503,
        error: 'overloaded',
        headers: { 'Retry-After': '1' },
      });
      expect(await read('next')).toMatchObject({ made: 'next' });
    }
    expect([overloads(), logged()]).toEqual([2, 2]);
  });

  it('give the body a 503 if none can be started', async () => {
    const { read, overloads, logged } = setUp({ script: new URL('nowhere:') });

    await expect(read('text')).rejects.toMatchObject({ status: 503 });
    expect([overloads(), logged()]).toEqual([1, 1]);
  });

  it('turn a body away whose turn does not come, and drop it if its client goes', async () => {
    const { read, overloads } = setUp({ timeoutMs: 60_000 });
    const hanging = read('hang').catch(() => 'closed');
    const gone = new AbortController();
    const abandoned = read('abandoned', { signal: gone.signal });
    gone.abort(new Error('gone'));

    await expect(abandoned).rejects.toThrow('gone');
    await expect(read('late', { waitMs: 50 })).rejects.toMatchObject({ status: 503 });
    expect(overloads()).toBe(1);
    await opened[0]?.close();
    expect(await hanging).toBe('closed');
  });

  it('get a copy of a body that shares its buffer, and the buffer itself otherwise', async () => {
    const { threads } = setUp();
    const turn = { account: 'a', waitMs: 60_000, signal: new AbortController().signal };
    const whole = Buffer.alloc(100, 'x');
    const part = whole.subarray(1, 5);

    expect(await threads.call('input', inputOf(part), turn)).toMatchObject({
      made: 'xxxx',
    });
    expect(part.length).toBe(4);
    const own = Buffer.from(new Uint8Array(3).fill(121).buffer);
    expect(await threads.call('input', inputOf(own), turn)).toMatchObject({ made: 'yyy' });
    expect(own.length).toBe(0);
  });

  it('keep the event loop free', async () => {
    const threads = createBodyThreads({
      threads: 1,
      maxBytes: 4_000_000,
      maxBatchBytes: 1,
      redaction: { personalData: false },
      logger: createRecordingLogger().logger,
      onOverloaded() {},
    });
    opened.push(threads);
    const upload = { tenant_id: 't', query: 'key='.repeat(500_000), turns: [] };
    const body = { bytes: Buffer.from(JSON.stringify(upload)), isZipped: false };
    const turn = { account: 'a', waitMs: 60_000, signal: new AbortController().signal };
    let isDone = false;
    const reading = threads.call('upload', { body, headerProblems: [] }, turn).finally(() => (isDone = true));
    let turns = 0;
    for (; !isDone; turns++) await sleep(1);

    const { made, unpackedBytes, cpuMs } = await reading;
    expect(turns).toBeGreaterThan(3);
    expect([made?.tenantId, unpackedBytes > 2_000_000, cpuMs > 0]).toEqual(['t', true, true]);
  });
});

function setUp({ timeoutMs = 60_000, script = obedient } = {}) {
  let overloads = 0;
  const { logger, lines } = createRecordingLogger();
  const threads = createBodyThreads({
    threads: 1,
    maxBytes: 1000,
    maxBatchBytes: 1,
    redaction: { personalData: false },
    logger,
    onOverloaded: () => overloads++,
    script,
    timeoutMs,
  });
  opened.push(threads);
  return {
    threads,
    overloads: () => overloads,
    logged: () => lines().length,
    read(text: string, { account = 'a', waitMs = 60_000, signal = new AbortController().signal } = {}) {
      return threads.call('input', inputOf(Buffer.from(text)), { account, waitMs, signal });
    },
  };
}
