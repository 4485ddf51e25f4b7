import { execFile, execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';

const run = promisify(execFile);

describe('startTelemetry', () => {
  it.each([
    ['nothing asks for it', {}],
    ['the exporter is none', { OTEL_TRACES_EXPORTER: 'none', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }],
    ['the SDK is disabled', { OTEL_SDK_DISABLED: 'true', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }],
  ])('loads nothing when %s', (_, env) => {
    expect(execFileSync(process.execPath, nodeArguments(), { env, encoding: 'utf8' }).trim()).toBe('not loaded');
  });

  it('sends spans, and nothing else, where the standard variables say', async () => {
    const paths: string[] = [];
    const bodies: Buffer[] = [];
    const collector = createServer((request, response) => {
      paths.push(request.url ?? '');
      request.on('data', (chunk) => bodies.push(chunk));
      request.on('end', () => response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end());
    });
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
    const { port } = collector.address() as AddressInfo;

    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` };
    const { stdout } = await run(process.execPath, nodeArguments(), { env });
    await new Promise((resolve) => collector.close(resolve));

    expect(stdout.trim()).toBe('loaded');
    expect(paths).toEqual(['/v1/traces']);
    expect(Buffer.concat(bodies).toString('latin1')).toMatch(/a-service.*a-span/s);
  });
});

/** A process of its own: what a module loads and registers stays for good. */
function nodeArguments(): string[] {
  const module = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);
  const script = `
    import { createRequire } from 'node:module';
    import { startTelemetry } from ${module('./telemetry.js')};
    import { withSpan } from ${module('./tracing.js')};
    const shutdown = await startTelemetry({ service: 'a-service', env: process.env });
    await withSpan('a-span', {}, async () => {});
    await shutdown();
    const { cache } = createRequire(import.meta.url);
    console.log(Object.keys(cache).some((file) => file.includes('sdk-node')) ? 'loaded' : 'not loaded');`;
  return ['--input-type=module', '-e', script];
}
