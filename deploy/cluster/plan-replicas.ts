import { type ReservedPort, reservePort } from '../engines/reserve-port.js';
import { type ByService, byService, type ServiceName, serviceNames } from './service-names.js';

/** Where one process of a service will listen, known to the others before it starts. */
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

/** All replicas of a service as one target of gRPC's clients. */
export function grpcTarget(plans: readonly ReplicaPlan[]): string {
  return `ipv4:${plans.map(({ port }) => `127.0.0.1:${port.port}`).join(',')}`;
}
