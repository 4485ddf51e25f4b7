import type { JobState } from '@whetstone/contracts';
import { AppError } from '@whetstone/platform';
import type { JobLookup } from './domain/ports.js';
import { createJobWaits } from './http/job-waits.js';
import { call } from './test-kit/call.js';
import { gatewaysOfATest } from './test-kit/gateways-of-a-test.js';

const start = gatewaysOfATest();

const upload = { tenant_id: 'shop', query: 'x', turns: [] };

/** A status service with jobs that end when the test says so. It waits as the real one does. */
function waitingStatus() {
  const asked: (number | undefined)[] = [];
  const signals: (AbortSignal | undefined)[] = [];
  const waiting = new Set<(status: JobState['status']) => void>();
  const getJob: JobLookup['getJob'] = ({ jobId, waitMs }, { signal }) => {
    asked.push(waitMs);
    if (waitMs === undefined) return Promise.resolve({ jobId, status: 'processing' });
    signals.push(signal);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => answer('processing'), waitMs);
      const answer = (status: JobState['status']) => {
        clearTimeout(timer);
        waiting.delete(answer);
        resolve({ jobId, status });
      };
      waiting.add(answer);
      signal?.addEventListener('abort', () => {
        clearTimeout(timer);
        waiting.delete(answer);
        reject(new AppError('cancelled', 'The caller went away'));
      });
    });
  };
  const answerAll = (status: JobState['status']) => {
    for (const answer of [...waiting]) answer(status);
  };
  return { getJob, asked, signals, answerAll, begun: (count: number) => until(() => waiting.size === count) };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}

async function startWaiting(config = {}) {
  const status = waitingStatus();
  const running = await start({ getJob: status.getJob, config });
  const { body } = await call(running.url, 'POST', '/store_knowledge', { key: running.key, body: upload });
  const ask = (query: string, signal?: AbortSignal) =>
    call(running.url, 'GET', `/knowledge_status/${body.job_id}${query}`, {
      key: running.key,
      ...(signal ? { signal } : {}),
    });
  return { ...running, ...status, ask };
}

describe('a call that waits for the end of a job', () => {
  it('is answered when the job ends, and counts as a quick one', async () => {
    const { ask, asked, begun, answerAll, registry } = await startWaiting();
    const answer = ask('?wait=30');
    await begun(1);
    await new Promise((resolve) => setTimeout(resolve, 300));

    answerAll('completed');

    expect((await answer).body.status).toBe('completed');
    expect(asked).toEqual([30_000]);
    const labels = 'http_request_method="GET",http_route="/knowledge_status/{job_id}",http_response_status_code="200"';
    expect(await registry.metrics()).toContain(`_bucket{le="0.25",${labels}} 1`);
  });

  it('is answered after that time, however short the limit of the operation is', async () => {
    const timeoutsMs = { store: 5000, batch: 5000, enhance: 5000, status: 500, delete: 5000 };
    const { ask } = await startWaiting({ timeoutsMs });

    const { status, body, headers } = await ask('?wait=1');

    expect([status, body.status, headers.get('retry-after')]).toEqual([200, 'processing', '1']);
  });

  it('does not wait with 0 or nothing, and not for a job that it may not see', async () => {
    const { ask, asked, url, key } = await startWaiting();

    expect([(await ask('')).status, (await ask('?wait=0')).status]).toEqual([200, 200]);
    expect(asked).toEqual([undefined, undefined]);
    expect((await call(url, 'GET', '/knowledge_status/job_x?wait=30', { key })).status).toBe(404);
    expect((await ask('?wait=31')).body.detail).toEqual([
      { loc: ['query', 'wait'], msg: 'Input should be less than or equal to 30', type: 'less_than_equal' },
    ]);
  });

  it('asks again, after a while, if status answers early', async () => {
    const { ask, asked, begun, answerAll } = await startWaiting();
    const answer = ask('?wait=30');
    await begun(1);
    answerAll('processing');
    await begun(1);
    answerAll('failed');

    expect((await answer).body.status).toBe('failed');
    expect(asked.length).toBe(2);
    expect(asked[1]).toBeLessThanOrEqual(29_500);
  });

  it('is told the present state when the process drains, and so is who comes later', async () => {
    const { ask, begun, gateway } = await startWaiting();
    const answers = [ask('?wait=30'), ask('?wait=30')];
    await begun(2);

    gateway.drain?.();

    for (const answer of answers) expect(await answer).toMatchObject({ status: 200, body: { status: 'processing' } });
    expect((await ask('?wait=30')).body.status).toBe('processing');
  });

  it('frees everything when its client goes away', async () => {
    const { ask, begun, signals, asked, printed } = await startWaiting();
    const client = new AbortController();
    const answer = ask('?wait=30', client.signal);
    await begun(1);

    client.abort();

    await expect(answer).rejects.toThrow();
    await until(() => signals[0]?.aborted === true);
    await begun(0);
    await until(() => printed().includes('"status":499'));
    expect(asked.length).toBe(1);
    expect(printed()).not.toContain('"level":"error"');
  });

  it('is 500 status_failed if status fails meanwhile', async () => {
    const { ask, begun, signals } = await startWaiting();
    const answer = ask('?wait=30');
    await begun(1);
    signals[0]?.dispatchEvent(new Event('abort'));

    expect((await answer).body.error).toBe('status_failed');
  });
});

describe('the number of calls that wait', () => {
  it('is limited by key and by process, and what ended counts no more', () => {
    const waits = createJobWaits({ perKey: 2, perProcess: 3 });
    const [one, two, other] = [waits.begin('a'), waits.begin('a'), waits.begin('b')];

    expect([one, two, other].every(Boolean)).toBe(true);
    expect([waits.begin('a'), waits.begin('c')]).toEqual([undefined, undefined]);
    waits.end('a', one as AbortController);
    waits.end('a', one as AbortController);
    expect(waits.begin('a')).toBeDefined();
    expect(waits.begin('a')).toBeUndefined();
  });

  it('falls to none when the process drains', () => {
    const waits = createJobWaits({ perKey: 2, perProcess: 3 });
    const wait = waits.begin('a');

    waits.drain();

    expect(wait?.signal.aborted).toBe(true);
    expect(waits.begin('b')).toBeUndefined();
  });
});
