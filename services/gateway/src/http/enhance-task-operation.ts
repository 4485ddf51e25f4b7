import type { BodyChecks } from '@whetstone/contracts';

import type { EnhanceTask } from '../domain/enhance-task.js';
import { callOf, type Operation } from './operation.js';
import { readBody } from './read-body.js';
import { readJson } from './read-json.js';
import { invalid } from './refusal.js';

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
      const checked = checks.agentInput(readJson(await readBody(req, res, maxBodyBytes)));
      if (checked.problems) throw invalid(checked.problems);
      const { body: input } = checked;
      return async ({ caller, exchange }) => ({
        status: 200,
        body: await enhanceTask(caller, input, callOf(exchange)),
      });
    },
  };
}
