import type { ServiceStatus } from '@whetstone/contracts';

import { internalFailure } from './error-answer.js';
import type { Operation } from './operation.js';

const status: ServiceStatus = { status: 'ok', service: 'whetstone', version: '1.0.0' };

export function serviceStatusOperation(): Operation {
  return {
    method: 'get',
    path: '/',
    route: '/',
    timeoutMs: 5000,
    failure: internalFailure,
    prepare: () => async () => ({ status: 200, body: status }),
  };
}
