import { status } from '@grpc/grpc-js';
import { Histogram, type Registry } from '@whetstone/platform';

import { type AnyMethod, namesOf } from './rpc-services.js';

/** Records the status and duration of a call. */
export type ObserveCall = (method: AnyMethod, code: status, seconds: number) => void;

const sides = {
  client: 'Time from making a call to its answer, retries included',
  server: 'Time that a call takes here, from its arrival to its answer',
};
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const labelNames = ['rpc_service', 'rpc_method', 'rpc_response_status_code'] as const;

/** One metric per side and process; the first client or server creates it. Methods start at zero. */
export function observeCalls(registry: Registry, side: keyof typeof sides, methods: Iterable<AnyMethod>): ObserveCall {
  const name = `rpc_${side}_call_duration_seconds`;
  const known = registry.getSingleMetric(name) as Histogram<(typeof labelNames)[number]> | undefined;
  const durations = known ?? new Histogram({ name, help: sides[side], labelNames, buckets, registers: [registry] });
  for (const method of methods) durations.zero(labelsOf(method, status.OK));
  return (method, code, seconds) => durations.observe(labelsOf(method, code), seconds);
}

function labelsOf(rpc: AnyMethod, code: status) {
  const { service, method } = namesOf(rpc);
  return { rpc_service: service, rpc_method: method, rpc_response_status_code: status[code] };
}
