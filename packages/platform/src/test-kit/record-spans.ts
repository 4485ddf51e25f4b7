import { context, propagation, trace } from '@opentelemetry/api';
import { NodeSDK, tracing } from '@opentelemetry/sdk-node';

/** The spans that the SDK exports during the tests of one file, reset before each test. Call it at the top of the file. */
export function recordSpans(): tracing.InMemorySpanExporter {
  const exporter = new tracing.InMemorySpanExporter();
  const sdk = new NodeSDK({
    autoDetectResources: false,
    instrumentations: [],
    logRecordProcessors: [],
    metricReaders: [],
    spanProcessors: [new tracing.SimpleSpanProcessor(exporter)],
  });
  beforeAll(() => sdk.start());
  afterAll(async () => {
    await sdk.shutdown();
    // Test files share a process, and only the first provider is registered.
    for (const api of [trace, context, propagation]) api.disable();
  });
  beforeEach(() => exporter.reset());
  return exporter;
}
