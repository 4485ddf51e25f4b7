import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { AppError, type CallContext } from '@whetstone/platform';
import { recordSpans } from '@whetstone/platform/test-kit';

import { call } from './test-kit/call.js';
import { gatewaysOfATest } from './test-kit/gateways-of-a-test.js';

const start = gatewaysOfATest();
const exporter = recordSpans();

const input = { tenant_id: 'shop', input_text: 'x' };
const upload = { tenant_id: 'shop', query: 'x', turns: [] };

describe('the span of a request', () => {
  it.each([
    [200, input, undefined],
    [422, {}, undefined],
    [403, { ...input, tenant_id: 'wst_of_somebody_else' }, undefined],
    [500, input, new AppError('store_unavailable', 'away', { retryable: true })],
  ])('tells route, method and status; of a %i only what is ours is an error', async (status, body, failure) => {
    const { url, key } = await start(failure ? { enhance: () => Promise.reject(failure) } : {});
    exporter.reset();

    await call(url, 'POST', '/enhance_task', { key, body });

    const [span] = exporter.getFinishedSpans();
    expect(span).toMatchObject({ name: 'POST /enhance_task', kind: SpanKind.SERVER });
    expect(span?.attributes).toEqual({
      'http.route': '/enhance_task',
      'http.request.method': 'POST',
      'http.response.status_code': status,
    });
    expect(span?.status.code).toBe(status === 500 ? SpanStatusCode.ERROR : SpanStatusCode.UNSET);
  });

  it('is the parent of the one that appends the upload, which is what the message carries on', async () => {
    const { url, key, uploads } = await start();
    exporter.reset();

    await call(url, 'POST', '/store_knowledge', { key, body: upload });

    const [append, request] = exporter.getFinishedSpans();
    expect(append).toMatchObject({ name: 'send whetstone.uploads.v1', kind: SpanKind.PRODUCER });
    expect(append?.parentSpanContext?.spanId).toBe(request?.spanContext().spanId);
    const [{ headers } = { headers: {} as Record<string, string> }] = await uploads();
    expect(headers['traceparent']).toContain(append?.spanContext().spanId);
  });
});

it('what an operation calls has the rest of its time, and the id of its request', async () => {
  const heard: CallContext[] = [];
  const { url, key } = await start({
    config: { timeoutsMs: { store: 1000, batch: 5000, enhance: 30_000, status: 1000, delete: 1000 } },
    enhance: async ({ inputText }, given) => {
      heard.push(given);
      return { response: inputText, confidenceScore: 0, enhancementId: 'e', recommendations: [], holdout: false };
    },
  });
  const before = Date.now();

  await call(url, 'POST', '/enhance_task', { key, body: input, headers: { 'x-request-id': 'req-7' } });

  expect(heard[0]).toMatchObject({ requestId: 'req-7', signal: expect.any(AbortSignal) });
  expect(heard[0]?.deadline).toBeGreaterThan(before + 29_000);
  expect(heard[0]?.deadline).toBeLessThanOrEqual(Date.now() + 30_000);
});
