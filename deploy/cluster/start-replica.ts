import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { type Engine, type EngineOptions, startEngine } from '../engines/engine.js';
import { inheritedEnvironment } from '../engines/environment.js';
import { answersOk } from './answers-ok.js';
import type { ReplicaPlan } from './plan-replicas.js';
import type { ServiceName } from './service-names.js';

/** One process of a service. */
export interface Replica extends Engine {
  readonly service: ServiceName;
  /** Of its REST interface or its gRPC server. */
  readonly address: string;
  readonly opsUrl: string;
  /** Everything that its processes printed. */
  readonly logFile: string;
}

export interface ReplicaOptions extends Pick<EngineOptions, 'onUnexpectedEnd'> {
  plan: ReplicaPlan;
  /** Where it keeps its log, and what else it writes. */
  folder: string;
  settings: Record<string, string>;
}

const servicesFolder = new URL('../../../services/', import.meta.url);

/** Resolves when it says that it is ready. */
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
