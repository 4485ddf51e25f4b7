import { type Attributes, context, propagation, SpanStatusCode, trace } from '@opentelemetry/api';

/** Runs `work` inside a span. Without a configured SDK this costs next to nothing. */
export function withSpan<Result>(name: string, attributes: Attributes, work: () => Promise<Result>): Promise<Result> {
  return trace.getTracer('whetstone').startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await work();
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.message : String(error) });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** The current trace as headers of a message; empty when there is none. */
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
