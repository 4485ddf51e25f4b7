import { NodeSDK, tracing } from '@opentelemetry/sdk-node';

/** What the SDK hands to an exporter, for the tests of one file, each from the beginning. To be called at its top. */
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
  afterAll(() => sdk.shutdown());
  beforeEach(() => exporter.reset());
  return exporter;
}
