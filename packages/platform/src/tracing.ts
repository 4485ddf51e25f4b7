import {
  type Attributes,
  context,
  ProxyTracer,
  propagation,
  type Span as RecordedSpan,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

export interface SpanOptions {
  /** OpenTelemetry span kind. */
  kind?: 'client' | 'consumer' | 'internal' | 'producer' | 'server';
  attributes?: Attributes;
}

/** The span of the running work. */
export interface Span {
  set(attributes: Attributes): void;
  /** Marks work that handles its own errors as failed. Thrown errors are recorded without it. */
  fail(message: string): void;
}

const kinds = {
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
  producer: SpanKind.PRODUCER,
  server: SpanKind.SERVER,
};

const unrecorded: Span = { set() {}, fail() {} };

/** Runs `work` inside a span, or as it is if no SDK records any. */
export async function withSpan<Result>(
  name: string,
  { kind = 'internal', attributes = {} }: SpanOptions,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  const tracer = trace.getTracer('whetstone');
  // What stands for a tracer until an SDK is registered. It would make contexts and spans all the same.
  if (tracer instanceof ProxyTracer) return work(unrecorded);
  return tracer.startActiveSpan(name, { kind: kinds[kind], attributes }, async (recorded) => {
    const span = spanOf(recorded);
    try {
      return await work(span);
    } catch (error) {
      span.fail(error instanceof Error ? error.message : String(error));
      throw error;
    } finally {
      recorded.end();
    }
  });
}

function spanOf(recorded: RecordedSpan): Span {
  return {
    set: (attributes) => void recorded.setAttributes(attributes),
    fail: (message) => void recorded.setStatus({ code: SpanStatusCode.ERROR, message }),
  };
}

/** The current trace as message headers; empty if there is none. */
export function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {};
  propagation.inject(context.active(), headers);
  return headers;
}

/** Continues the trace that the headers of a message carry. */
export function withTraceFrom<Result>(headers: Record<string, string>, work: () => Promise<Result>): Promise<Result> {
  return context.with(propagation.extract(context.active(), headers), work);
}

/** The id of the current trace, for log lines. */
export function currentTraceId(): string | undefined {
  return trace.getActiveSpan()?.spanContext().traceId;
}
