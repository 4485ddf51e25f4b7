import type { Server } from '@grpc/grpc-js';
import { HealthImplementation, type ServingStatus } from 'grpc-health-check';

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
