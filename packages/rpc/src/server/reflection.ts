import type { Server } from '@grpc/grpc-js';
import { ReflectionService } from '@grpc/reflection';
import { service as healthService } from 'grpc-health-check';

import { namesOf } from '../rpc-services.js';
import type { RpcService } from './rpc-service.js';

interface Described {
  path: string;
  requestType: { fileDescriptorProtos: Buffer[] };
}

/** Tells people with a command-line client what there is, health included, and what messages look like. */
export function addReflection(server: Server, services: RpcService[]): void {
  const health = Object.values(healthService) as Described[];
  const described: Described[] = [...health, ...services.flatMap(({ methods }) => methods.map(({ method }) => method))];
  // A message type brings the files along that it and everything near it stand in; its name here does not matter.
  const types = Object.fromEntries(described.map(({ path, requestType }) => [path, requestType]));
  const names = [...new Set(described.map((method) => namesOf(method).service))];
  new ReflectionService(types as never, { services: names }).addToServer(server);
}
