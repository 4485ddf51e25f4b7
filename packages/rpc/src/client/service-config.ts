import { type AnyMethod, isRepeatable, namesOf } from '../rpc-services.js';

/**
 * How calls are spread and repeated. Round robin over all addresses that the target has. Only what its proto calls safe to
 * repeat is repeated, and only where the call got no answer of the service itself.
 */
export function serviceConfigOf(methods: Iterable<AnyMethod>): string {
  const repeatable = [...methods].filter(isRepeatable);
  return JSON.stringify({
    loadBalancingConfig: [{ round_robin: {} }],
    methodConfig: repeatable.map((rpc) => ({
      name: [namesOf(rpc)],
      retryPolicy: {
        maxAttempts: 5,
        initialBackoff: '0.1s',
        maxBackoff: '1s',
        backoffMultiplier: 2,
        retryableStatusCodes: ['UNAVAILABLE'],
      },
    })),
    // While most calls fail, repeating them all would keep a service down that is trying to come back.
    retryThrottling: { maxTokens: 100, tokenRatio: 0.5 },
  });
}
