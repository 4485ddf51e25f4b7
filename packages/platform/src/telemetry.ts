import type { Environment } from './load-config.js';

export interface TelemetryOptions {
  /** `OTEL_SERVICE_NAME` overrides it. */
  service: string;
  /** Decides whether traces are wanted; the SDK itself reads the standard `OTEL_*` variables of the process. */
  env: Environment;
}

/**
 * Exports traces if the standard `OTEL_*` variables ask for it; loads nothing otherwise. Traces only: metrics are
 * Prometheus's and logs go to standard output. Returns a function that flushes and stops it.
 */
export async function startTelemetry({ service, env }: TelemetryOptions): Promise<() => Promise<void>> {
  if (!tracesAreWanted(env)) return async () => {};
  const { NodeSDK } = await import('@opentelemetry/sdk-node');
  const sdk = new NodeSDK({
    instrumentations: [],
    logRecordProcessors: [],
    metricReaders: [],
    ...(env['OTEL_SERVICE_NAME'] ? {} : { serviceName: service }),
  });
  sdk.start();
  return () => sdk.shutdown();
}

function tracesAreWanted(env: Environment): boolean {
  const exporter = env['OTEL_TRACES_EXPORTER'];
  if (env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true' || exporter === 'none') return false;
  return Boolean(exporter || env['OTEL_EXPORTER_OTLP_ENDPOINT'] || env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']);
}
