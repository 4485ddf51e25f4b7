import { AppError, type CallContext } from '@whetstone/platform';

import { call } from './test-kit/call.js';
import { gatewaysOfATest } from './test-kit/gateways-of-a-test.js';
import type { GatewayOptions } from './test-kit/start-gateway.js';

const start = gatewaysOfATest();

const input = { tenant_id: 'shop', input_text: 'x' };
const upload = { tenant_id: 'shop', query: 'x', turns: [] };
const never = () => new Promise<never>(() => {});

type Failing = Awaited<ReturnType<typeof start>>;

/** One request to each operation, by the error that it answers with when what it calls fails. */
const requests: Record<string, (gateway: Failing) => ReturnType<typeof call>> = {
  enhance_failed: ({ url, key }) => call(url, 'POST', '/enhance_task', { key, body: input }),
  delete_failed: ({ url, key }) => call(url, 'POST', '/delete_by_intent?tenant_id=a&intent=b', { key }),
  queueing_failed: ({ url, key }) => call(url, 'POST', '/store_knowledge', { key, body: upload }),
  status_failed: async ({ url, key }) => {
    const { body } = await call(url, 'POST', '/store_knowledge', { key, body: upload });
    return call(url, 'GET', `/knowledge_status/${body.job_id}`, { key });
  },
};
const errors = Object.keys(requests);

/** A gateway on whose behalf everything that the operation calls does `fail`. */
function startFailing(
  error: string,
  fail: (_request: unknown, call: CallContext) => Promise<never>,
  config: GatewayOptions['config'] = {},
) {
  return start({
    config,
    enhance: fail,
    deleteByIntent: fail,
    getJob: fail,
    log: (log) => ({
      ...log,
      append: (topic, event) =>
        topic.includes('uploads') && error === 'queueing_failed' ? fail(event, {}) : log.append(topic, event),
    }),
  });
}

async function answerOf(error: string, gateway: Failing) {
  const request = requests[error];
  if (!request) throw new Error(`No request answers ${error}`);
  return request(gateway);
}

describe('an operation that fails', () => {
  it.each(errors)('answers %s and tells nothing of what happened inside', async (error) => {
    const cause = new Error('inner');
    const away = () =>
      Promise.reject(new AppError('store_unavailable', 'secret host db-7 is away', { retryable: true, cause }));

    const { status, body, headers } = await answerOf(error, await startFailing(error, away));

    expect(status).toBe(500);
    expect(body).toEqual({ error, message: expect.any(String), request_id: headers.get('x-request-id') });
    expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(JSON.stringify(body)).not.toMatch(/db-7|inner/);
  });

  it.each(errors)('%s has no Retry-After where trying again makes no sense', async (error) => {
    const gateway = await startFailing(error, () => Promise.reject(new TypeError('a bug')));

    const { status, body, headers } = await answerOf(error, gateway);

    expect([status, body.error]).toEqual([500, error]);
    expect(headers.has('retry-after')).toBe(false);
    expect(gateway.printed()).toContain('a bug');
  });
});

describe('an operation that takes too long', () => {
  it.each(errors)('answers %s with Retry-After, and what it called is told to stop', async (error) => {
    const signals: AbortSignal[] = [];
    const hang = (_request: unknown, { signal }: CallContext) => {
      if (signal) signals.push(signal);
      return never();
    };
    // Looking a job up needs one that was accepted, in whatever time that takes.
    const store = error === 'queueing_failed' ? 50 : 30_000;
    const timeoutsMs = { store, batch: store, enhance: 50, status: 50, delete: 50 };

    const { status, body, headers } = await answerOf(error, await startFailing(error, hang, { timeoutsMs }));

    expect([status, body.error]).toEqual([500, error]);
    expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(signals.every(({ aborted }) => aborted)).toBe(true);
    expect(signals).toHaveLength(error === 'queueing_failed' ? 0 : 1);
  });
});

describe('a log that is away', () => {
  it('fails uploads with queueing_failed and nothing else', async () => {
    const { url, key } = await start({
      log: (log) => ({
        ...log,
        append: async (topic, event) => {
          if (topic.includes('uploads')) throw new AppError('log_unavailable', 'away', { retryable: true });
          return log.append(topic, event);
        },
      }),
    });

    const upload = await call(url, 'POST', '/store_knowledge', {
      key,
      body: { tenant_id: 'a', query: 'x', turns: [] },
    });

    expect([upload.status, upload.body.error]).toEqual([500, 'queueing_failed']);
    expect(upload.headers.get('retry-after')).toMatch(/^\d+$/);
    expect((await call(url, 'POST', '/enhance_task', { key, body: input })).status).toBe(200);
  });

  it('that cannot hold the upload makes it a 413', async () => {
    const { url, key } = await start({
      log: (log) => ({
        ...log,
        append: async (topic, event) => {
          if (topic.includes('uploads')) throw new AppError('too_large', 'larger than the topic takes');
          return log.append(topic, event);
        },
      }),
    });

    const { status } = await call(url, 'POST', '/store_knowledge', {
      key,
      body: { tenant_id: 'a', query: 'x', turns: [] },
    });

    expect(status).toBe(413);
  });
});
