import { AsyncLocalStorage } from 'node:async_hooks';

import { type Context, type ContextManager, context, propagation, ROOT_CONTEXT, trace } from '@opentelemetry/api';

import { call } from './test-kit/call.js';
import { startGateway } from './test-kit/start-gateway.js';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${traceId}-b7ad6b7169203331-01`;

beforeAll(() => {
  context.setGlobalContextManager(createContexts());
  propagation.setGlobalPropagator({
    inject() {},
    extract: (from) => trace.setSpanContext(from, { traceId, spanId: 'b7ad6b7169203331', traceFlags: 1 }),
    fields: () => [],
  });
});
afterAll(() => {
  context.disable();
  propagation.disable();
});

it('the log lines of a request name the caller, the job and, where it is traced, the trace; never the key', async () => {
  const running = await startGateway({ getJob: () => Promise.reject(new Error('a bug')) });
  const { key, keyId } = await running.issueKey('acme');
  const { body } = await call(running.url, 'POST', '/store_knowledge', {
    key,
    body: { tenant_id: 'shop', query: 'Buy milk', turns: [] },
    headers: { traceparent },
  });
  await call(running.url, 'GET', `/knowledge_status/${body.job_id}`, { key, headers: { traceparent } });
  await running.close();

  const lines = running
    .printed()
    .split('\n')
    .filter((line) => line.includes(traceId))
    .map((line) => JSON.parse(line) as Record<string, string>);
  expect(lines.map((line) => [line['msg'], line['route']])).toEqual([
    ['request', '/store_knowledge'],
    ['An operation failed', '/knowledge_status/{job_id}'],
    ['request', '/knowledge_status/{job_id}'],
  ]);
  for (const line of lines) expect(line).toMatchObject({ key_id: keyId, account: 'acme', job_id: body.job_id });
  expect(running.printed()).not.toContain(key);
});

/** What the SDK brings along in production. */
function createContexts(): ContextManager {
  const storage = new AsyncLocalStorage<Context>();
  const contexts: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (entered, work, self, ...args) => storage.run(entered, () => work.apply(self as never, args)),
    bind: (_, target) => target,
    enable: () => contexts,
    disable: () => contexts,
  };
  return contexts;
}
