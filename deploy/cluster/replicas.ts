import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { type Engine, type EngineOptions, startEngine } from '../engines/engine.js';
import { inheritedEnvironment } from '../engines/environment.js';
import { type ReservedPort, reservePort } from '../engines/reserve-port.js';

/** In start order; they stop in reverse. */
export const serviceNames = ['status', 'indexer', 'analyser', 'gateway'] as const;

export type ServiceName = (typeof serviceNames)[number];

export type ByService<T> = Record<ServiceName, T>;

export function byService<T>(make: (service: ServiceName) => T): ByService<T> {
  return Object.fromEntries(serviceNames.map((service) => [service, make(service)])) as ByService<T>;
}

/** Where a process will listen; others need to know before it starts. */
export interface ReplicaPlan {
  service: ServiceName;
  /** `analyser-2` */
  name: string;
  /** HTTP for the gateway, gRPC for the others. */
  port: ReservedPort;
  opsPort: ReservedPort;
  opsUrl: string;
}

export async function planReplicas(counts: ByService<number>): Promise<ByService<ReplicaPlan[]>> {
  const plans: ByService<ReplicaPlan[]> = byService(() => []);
  for (const service of serviceNames) {
    for (let number = 1; number <= counts[service]; number++) {
      const [port, opsPort] = [await reservePort(), await reservePort()];
      plans[service].push({
        service,
        name: `${service}-${number}`,
        port,
        opsPort,
        opsUrl: `http://127.0.0.1:${opsPort.port}`,
      });
    }
  }
  return plans;
}

/** All replicas of a service as one gRPC target. */
export function grpcTarget(plans: readonly ReplicaPlan[]): string {
  return `ipv4:${plans.map(({ port }) => `127.0.0.1:${port.port}`).join(',')}`;
}

const withinMs = 2_000;

/** Whether a probe answers 200 in time. */
export function answersOk(url: string, cancelled?: AbortSignal): Promise<boolean> {
  const timeout = AbortSignal.timeout(withinMs);
  const signal = cancelled ? AbortSignal.any([cancelled, timeout]) : timeout;
  return fetch(url, { signal }).then(
    async (answer) => {
      await answer.arrayBuffer();
      return answer.ok;
    },
    () => false,
  );
}

/** One process of a service. */
export interface Replica extends Engine {
  readonly service: ServiceName;
  /** Of its HTTP or gRPC server. */
  readonly address: string;
  readonly opsUrl: string;
  /** Everything that its processes printed. */
  readonly logFile: string;
}

export interface ReplicaOptions extends Pick<EngineOptions, 'onUnexpectedEnd'> {
  plan: ReplicaPlan;
  /** For its log and data. */
  folder: string;
  settings: Record<string, string>;
}

const servicesFolder = new URL('../../../services/', import.meta.url);

/** Resolves when it reports ready. */
export async function startReplica({ plan, folder, settings, onUnexpectedEnd }: ReplicaOptions): Promise<Replica> {
  const { service, name, port, opsPort, opsUrl } = plan;
  const logFile = join(folder, `${name}.log`);
  const engine = await startEngine({
    launch: {
      name,
      command: process.execPath,
      args: [fileURLToPath(new URL(`${service}/dist/main.js`, servicesFolder))],
      cwd: folder,
      env: { ...inheritedEnvironment(), ...settings },
      logFile,
    },
    readiness: { isReady: () => answersOk(`${opsUrl}/readyz`), withinMs: 120_000 },
    stopSignal: 'SIGTERM',
    stopWithinMs: 40_000,
    ports: [port, opsPort],
    onUnexpectedEnd,
  });
  return Object.assign(engine, { service, address: `127.0.0.1:${port.port}`, opsUrl, logFile });
}
