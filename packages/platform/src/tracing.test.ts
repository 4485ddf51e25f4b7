import { SpanKind, SpanStatusCode } from '@opentelemetry/api';

import { withRequestId } from './request-id.js';
import { recordSpans } from './test-kit/record-spans.js';
import { createRecordingLogger } from './test-kit/recording-logger.js';
import { currentTraceId, traceHeaders, withSpan, withTraceFrom } from './tracing.js';

const exporter = recordSpans();

describe('withSpan', () => {
  it('records the kind, and what is known before and after the work', async () => {
    await withSpan('a call', { kind: 'server', attributes: { route: '/' } }, async (span) => span.set({ status: 200 }));

    expect(recorded()).toEqual({ name: 'a call', kind: SpanKind.SERVER, attributes: { route: '/', status: 200 } });
  });

  it('is an error when the work throws, or says that it has failed, and not otherwise', async () => {
    await withSpan('throws', {}, () => Promise.reject(new Error('no'))).catch(() => {});
    await withSpan('says so', {}, async (span) => span.fail('no'));
    await withSpan('is well', {}, async () => {});

    expect(exporter.getFinishedSpans().map(({ status }) => status.code)).toEqual([
      SpanStatusCode.ERROR,
      SpanStatusCode.ERROR,
      SpanStatusCode.UNSET,
    ]);
  });

  it('goes on in another process with what the headers carry', async () => {
    const headers = await withSpan('sends', { kind: 'producer' }, async () => traceHeaders());
    const received = await withTraceFrom(headers, () =>
      withSpan('receives', { kind: 'consumer' }, async () => currentTraceId()),
    );

    const [sends, receives] = exporter.getFinishedSpans();
    expect(receives?.parentSpanContext?.spanId).toBe(sends?.spanContext().spanId);
    expect(received).toBe(sends?.spanContext().traceId);
  });
});

describe('a log line', () => {
  it('carries the trace and the request that it belongs to, however deep it was written', async () => {
    const { lines, logger } = createRecordingLogger();

    const traceId = await withSpan('work', {}, () =>
      withRequestId('r1', async () => {
        await Promise.resolve();
        logger.info('deep inside');
        return currentTraceId();
      }),
    );
    logger.info('outside');

    expect(lines()[0]).toMatchObject({ msg: 'deep inside', request_id: 'r1', trace_id: traceId });
    expect(Object.keys(lines()[1] ?? {}).sort()).toEqual(['level', 'msg', 'service', 'time']);
  });
});

function recorded() {
  const [span] = exporter.getFinishedSpans();
  return span && { name: span.name, kind: span.kind, attributes: span.attributes };
}
