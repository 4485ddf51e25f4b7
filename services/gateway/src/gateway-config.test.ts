import { type Environment, loadConfig } from '@whetstone/platform';

import { gatewayConfigOf, gatewayConfigSchema } from './gateway-config.js';

describe('the configuration of the gateway', () => {
  it('gives each operation the time that the interface promises', () => {
    expect(configFrom({}).timeoutsMs).toEqual({
      store: 10_000,
      batch: 60_000,
      enhance: 10_000,
      status: 5_000,
      delete: 60_000,
    });
  });

  it('takes what the environment says', () => {
    const env = { WHETSTONE_STORE_TIMEOUT_MS: '1', WHETSTONE_DELETE_TIMEOUT_MS: '4' };

    expect(configFrom(env).timeoutsMs).toMatchObject({ store: 1, enhance: 10_000, status: 5_000, delete: 4 });
  });

  it('lets one account hold the largest batch and two of the largest other bodies, whatever is set', () => {
    for (const env of [{}, { WHETSTONE_MAX_BATCH_BYTES: '200000000' }, { WHETSTONE_MAX_BYTES_IN_FLIGHT: '2000000' }]) {
      const { maxBytesInFlight, maxBatchBytes, maxBodyBytes } = configFrom(env);
      expect(maxBytesInFlight / 4).toBeGreaterThanOrEqual(maxBatchBytes + 2 * maxBodyBytes);
    }
  });
});

function configFrom(env: Environment) {
  return gatewayConfigOf(loadConfig(gatewayConfigSchema, env));
}
