import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { guard } from '@whetstone/deploy';

import { eventually } from '../support/eventually.js';
import { type Exit, freePort, projectFolder } from '../support/product.js';

type ServiceName = 'gateway' | 'analyser' | 'indexer' | 'status';

/** Nobody listens on this privileged port. */
const nobody = '127.0.0.1:1';
const kafka = { WHETSTONE_KAFKA_BROKERS: nobody };
const roots = { WHETSTONE_ROOT_SECRET: 'r'.repeat(40) };
const grpc = { WHETSTONE_GRPC_PORT: '0' };
const analyser = { WHETSTONE_ANALYSER_ADDRESS: `ipv4:${nobody}` };
const indexer = { WHETSTONE_INDEXER_ADDRESS: `ipv4:${nobody}` };
const status = { WHETSTONE_STATUS_ADDRESS: `ipv4:${nobody}` };

const settings: Record<ServiceName, Record<string, string>> = {
  gateway: { ...kafka, ...roots, ...analyser, ...indexer, ...status, WHETSTONE_HTTP_PORT: '0' },
  analyser: { ...kafka, ...roots, ...grpc, ...indexer, ...status },
  indexer: { ...grpc, ...roots, WHETSTONE_MILVUS_ADDRESS: nobody, WHETSTONE_MILVUS_TIMEOUT_MS: '500' },
  status: { ...kafka, ...roots, ...grpc },
};
const services = Object.keys(settings) as ServiceName[];

interface Readiness {
  services: Record<string, { dependencies: { name: string; ok: boolean }[] }>;
}

const running: ChildProcess[] = [];

afterEach(() => {
  for (const child of running.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
});

describe('a service that starts while everything it needs is away', () => {
  it.each([
    // A service with a view waits for it; one without serves what it can.
    ['gateway', 503],
    ['analyser', 200],
    ['indexer', 200],
    ['status', 503],
  ] as const)('%s lives, is ready or not (%i), says what is away, and stops in order', async (service, readiness) => {
    const process = await launch(service, settings[service]);

    await process.started();
    expect((await process.ask('/livez')).status).toBe(200);
    await eventually(async () => ((await process.ask('/readyz')).status === readiness ? true : undefined), {
      what: `${service} answers ${readiness}`,
    });
    await eventually(
      async () => {
        const { body } = await process.ask('/readyz');
        return body.services[service]?.dependencies.some(({ ok }) => !ok) ? true : undefined;
      },
      { what: 'what is away is told' },
    );
    process.child.kill('SIGTERM');

    expect(await process.exited).toEqual({ code: 0, signal: null });
  });
});

describe('a service with mistakes in its configuration', () => {
  it.each(services)('%s tells all of them by name, and exits non-zero', async (service) => {
    const process = await launch(service, { WHETSTONE_LOG_LEVEL: 'loud', WHETSTONE_NO_SUCH_THING: '1' });

    expect((await process.exited).code).toBe(1);
    const required = Object.keys(settings[service]).filter((name) => /BROKERS|SECRET|ADDRESS/.test(name));
    for (const name of ['WHETSTONE_LOG_LEVEL', 'WHETSTONE_NO_SUCH_THING', ...required]) {
      expect(process.printed()).toContain(name);
    }
    expect(process.printed()).not.toContain('    at ');
  });

  // Status opens its port once it has read its view, which needs Kafka.
  it.each(['analyser', 'indexer'] as const)('%s names the variable of a port that is taken', async (service) => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as { port: number };

    const process = await launch(service, { ...settings[service], WHETSTONE_GRPC_PORT: String(port) });

    expect((await process.exited).code).toBe(1);
    expect(process.printed()).toContain(`Port ${port} on 127.0.0.1 is taken by another program`);
    expect(process.printed()).toContain('WHETSTONE_GRPC_PORT=');
    await new Promise((resolve) => taken.close(resolve));
  });
});

async function launch(service: ServiceName, given: Record<string, string>) {
  const opsPort = await freePort();
  const child = spawn(process.execPath, [join(projectFolder, `services/${service}/dist/main.js`)], {
    env: { PATH: process.env['PATH'], WHETSTONE_OPS_PORT: String(opsPort), ...given },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.once('exit', guard(child.pid as number));
  running.push(child);
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const printed = () => Buffer.concat(chunks).toString('utf8');
  const exited = new Promise<Exit>((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));
  return {
    child,
    exited,
    printed,
    async ask(path: string) {
      const answer = await fetch(`http://127.0.0.1:${opsPort}${path}`);
      return { status: answer.status, body: (await answer.json()) as Readiness };
    },
    started: () =>
      eventually(() => (printed().includes('"msg":"Starting"') ? true : undefined), {
        what: `${service} answers probes`,
      }),
  };
}
