import { readGetUsageQuery, readListAuditQuery, readTenantQuery } from '@whetstone/contracts';
import type { MeasureUplift } from '../domain/measure-uplift.js';
import type { ReadActivity } from '../domain/read-activity.js';
import { callOf, type Operation } from './operation.js';
import { queryOf } from './paths.js';
import { invalid } from './refusals.js';

interface ActivityOperationsOptions {
  readActivity: ReadActivity;
  measureUplift: MeasureUplift;
  timeoutMs: number;
}

export function activityOperations(options: ActivityOperationsOptions): Operation[] {
  const { readActivity, measureUplift, timeoutMs } = options;
  return [
    {
      id: 'listAudit',
      timeoutMs,
      failure: { error: 'audit_failed', message: 'The audit trail could not be read' },
      prepare(req) {
        const { problems, body: query } = readListAuditQuery(queryOf(req.originalUrl));
        if (problems) throw invalid(problems);
        return async ({ caller, exchange }) => ({
          status: 200,
          body: await readActivity.audit(caller, query, callOf(exchange)),
        });
      },
    },
    {
      id: 'getUsage',
      timeoutMs,
      failure: { error: 'usage_failed', message: 'The usage could not be read' },
      prepare(req) {
        const { problems, body: query } = readGetUsageQuery(queryOf(req.originalUrl));
        if (problems) throw invalid(problems);
        return async ({ caller, exchange }) => ({
          status: 200,
          body: await readActivity.usage(caller, query.days, exchange.arrivedAt, callOf(exchange)),
        });
      },
    },
    {
      id: 'getUplift',
      timeoutMs,
      failure: { error: 'uplift_failed', message: 'The uplift could not be measured' },
      prepare(req) {
        const { problems, body: query } = readTenantQuery(queryOf(req.originalUrl));
        if (problems) throw invalid(problems);
        return async ({ caller, exchange }) => ({
          status: 200,
          body: await measureUplift(caller, query.tenantId, callOf(exchange)),
        });
      },
    },
  ];
}
