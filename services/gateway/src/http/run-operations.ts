import { readListCollectionsQuery, readListRunsQuery, readTenantQuery } from '@whetstone/contracts';
import { readJobId } from '@whetstone/identity';
import type { ListCollections } from '../domain/list-collections.js';
import type { ReadRuns } from '../domain/read-runs.js';
import { refuseCursor, requestOf } from './lesson-operations.js';
import { callOf, type Operation } from './operation.js';
import { pathParameter, queryOf } from './paths.js';
import { invalid } from './refusals.js';

interface RunOperationsOptions {
  readRuns: ReadRuns;
  listCollections: ListCollections;
  timeoutMs: number;
}

export function runOperations({ readRuns, listCollections, timeoutMs }: RunOperationsOptions): Operation[] {
  return [
    {
      id: 'listRuns',
      timeoutMs,
      failure: { error: 'runs_failed', message: 'The runs could not be listed' },
      prepare(req) {
        const { problems, body: query } = readListRunsQuery(queryOf(req.originalUrl));
        if (problems) throw invalid(problems);
        return async (context) => ({
          status: 200,
          body: await readRuns.list(requestOf(query.tenantId, context), query).catch(refuseCursor),
        });
      },
    },
    {
      id: 'getRun',
      timeoutMs,
      failure: { error: 'runs_failed', message: 'The run could not be read' },
      prepare(req) {
        const jobId = pathParameter(req.path, 'getRun', 'job_id');
        const { problems, body: query } = readTenantQuery(queryOf(req.originalUrl));
        if (problems) throw invalid(problems);
        return async (context) => {
          // Anything else in the path may be a secret, so it is not logged.
          if (readJobId(jobId)) context.exchange.jobId = jobId;
          return { status: 200, body: await readRuns.get(requestOf(query.tenantId, context), jobId) };
        };
      },
    },
    {
      id: 'listCollections',
      timeoutMs,
      failure: { error: 'collections_failed', message: 'The collections could not be listed' },
      prepare(req) {
        const { problems, body: page } = readListCollectionsQuery(queryOf(req.originalUrl));
        if (problems) throw invalid(problems);
        return async ({ caller, exchange }) => ({
          status: 200,
          body: await listCollections(caller, page, callOf(exchange)).catch(refuseCursor),
        });
      },
    },
  ];
}
