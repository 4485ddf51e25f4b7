import { encodeAnswer, type PartialSuccess } from '@whetstone/traces';
import type { SubmitSpans } from '../domain/submit-spans.js';
import type { ReadBodies } from './bodies/read-bodies.js';
import type { SpanCounts } from './bodies/read-traces.js';
import type { Operation } from './operation.js';

interface StoreTracesOptions {
  bodies: ReadBodies;
  submitSpans: SubmitSpans;
  onSpans(counts: SpanCounts): void;
  timeoutMs: number;
}

/** Takes traces by OTLP over HTTP. Exporters repeat a request only after 429 and 503. */
export function storeTracesOperation({ bodies, submitSpans, onSpans, timeoutMs }: StoreTracesOptions): Operation {
  return {
    id: 'storeTraces',
    hasBody: true,
    timeoutMs,
    failure: { error: 'queueing_failed', message: 'The spans could not be queued', mayRetryWith: 503 },
    async prepare(req, res) {
      const { traces, counts, isProtobuf } = await bodies.traces(req, res);
      return async ({ caller, exchange }) => {
        await submitSpans(caller, traces);
        onSpans(counts);
        const ended = traces.filter(({ hasRoot }) => hasRoot).length;
        if (counts.accepted > 0) exchange.used = { uploads: ended, bytes: exchange.bodyBytes ?? 0 };
        const partial = partialSuccessOf(counts);
        if (!isProtobuf) return { status: 200, body: partial ? { partialSuccess: partial } : {} };
        return {
          status: 200,
          body: undefined,
          parts: [encodeAnswer(partial)],
          contentType: 'application/x-protobuf',
        };
      };
    },
  };
}

function partialSuccessOf({ empty, nameless }: SpanCounts): PartialSuccess | undefined {
  if (empty + nameless === 0) return undefined;
  const reasons = [
    empty > 0 &&
      `Spans of models and tools without content: ${empty}. Let the emitter capture it, for example with ` +
        'OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true.',
    nameless > 0 &&
      `Spans without a collection: ${nameless}. Send x-whetstone-tenant, or the resource attribute whetstone.tenant_id.`,
  ];
  return { rejectedSpans: empty + nameless, errorMessage: reasons.filter(Boolean).join(' ') };
}
