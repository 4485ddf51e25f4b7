import type { BodyChecks } from '@whetstone/contracts';

import type { EnhanceTask } from '../domain/enhance-task.js';
import { checkBody } from './check-body.js';
import { callOf, type Operation } from './operation.js';
import { readBody } from './read-body.js';

export interface EnhanceTaskOptions {
  checks: BodyChecks;
  enhanceTask: EnhanceTask;
  maxBodyBytes: number;
  timeoutMs: number;
}

export function enhanceTaskOperation({ checks, enhanceTask, maxBodyBytes, timeoutMs }: EnhanceTaskOptions): Operation {
  return {
    method: 'post',
    path: '/enhance_task',
    route: '/enhance_task',
    timeoutMs,
    failure: { error: 'enhance_failed', message: 'The task could not be enhanced' },
    async prepare(req, res) {
      const input = checkBody(await readBody(req, res, maxBodyBytes), checks.agentInput);
      return async ({ caller, exchange }) => ({
        status: 200,
        body: await enhanceTask(caller, input, callOf(exchange)),
      });
    },
  };
}
