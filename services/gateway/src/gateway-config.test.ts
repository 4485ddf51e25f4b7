import { type Environment, loadConfig } from '@whetstone/platform';

import { gatewayConfigOf, gatewayConfigSchema } from './gateway-config.js';

describe('the configuration of the gateway', () => {
  it('gives each operation the time that the interface promises', () => {
    expect(configFrom({}).timeoutsMs).toEqual({ store: 10_000, enhance: 10_000, status: 5_000, delete: 60_000 });
  });

  it('takes what the environment says', () => {
    const env = { WHETSTONE_STORE_TIMEOUT_MS: '1', WHETSTONE_DELETE_TIMEOUT_MS: '4' };

    expect(configFrom(env).timeoutsMs).toEqual({ store: 1, enhance: 10_000, status: 5_000, delete: 4 });
  });
});

function configFrom(env: Environment) {
  return gatewayConfigOf(loadConfig(gatewayConfigSchema, env));
}
