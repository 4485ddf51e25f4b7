import type { Server } from '@grpc/grpc-js';
import { ReflectionService } from '@grpc/reflection';
import { HealthImplementation, service as healthService, type ServingStatus } from 'grpc-health-check';

import { namesOf } from '../rpc-services.js';
import type { RpcService } from './serve-call.js';

export interface Health {
  addTo(server: Server): void;
  /** Follows `isReady` until `stop`. */
  watch(): void;
  /** Reports NOT_SERVING from now on. */
  stop(): void;
}

/** How often readiness is polled. */
const everyMs = 250;

/** The standard health service. The server (empty name) and each of its services are as ready as the process. */
export function createHealth(serviceNames: string[], isReady: () => boolean): Health {
  const names = ['', ...serviceNames];
  const statusOf = (ready: boolean): ServingStatus => (ready ? 'SERVING' : 'NOT_SERVING');
  const health = new HealthImplementation(Object.fromEntries(names.map((name) => [name, statusOf(false)])));
  let wasReady = false;
  let timer: NodeJS.Timeout | undefined;

  function tell(ready: boolean): void {
    if (ready === wasReady) return;
    wasReady = ready;
    for (const name of names) health.setStatus(name, statusOf(ready));
  }

  return {
    addTo: (server) => health.addToServer(server),
    watch() {
      tell(isReady());
      timer = setInterval(() => tell(isReady()), everyMs).unref();
    },
    stop() {
      clearInterval(timer);
      tell(false);
    },
  };
}

interface Described {
  path: string;
  requestType: { fileDescriptorProtos: Buffer[] };
}

/** Server reflection for command-line clients, health service included. */
export function addReflection(server: Server, services: RpcService[]): void {
  const health = Object.values(healthService) as Described[];
  const described: Described[] = [...health, ...services.flatMap(({ methods }) => methods.map(({ method }) => method))];
  // A message type brings the files along that it and everything near it stand in; its name here does not matter.
  const types = Object.fromEntries(described.map(({ path, requestType }) => [path, requestType]));
  const names = [...new Set(described.map((method) => namesOf(method).service))];
  new ReflectionService(types as never, { services: names }).addToServer(server);
}
