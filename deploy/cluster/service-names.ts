/** In the order in which they start; they stop in the opposite one. */
export const serviceNames = ['status', 'indexer', 'analyser', 'gateway'] as const;

export type ServiceName = (typeof serviceNames)[number];

export type ByService<T> = Record<ServiceName, T>;

export function byService<T>(make: (service: ServiceName) => T): ByService<T> {
  return Object.fromEntries(serviceNames.map((service) => [service, make(service)])) as ByService<T>;
}
