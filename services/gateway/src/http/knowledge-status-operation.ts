import { problem } from '@whetstone/contracts';

import type { LookUpJob } from '../domain/look-up-job.js';
import { callOf, type Operation } from './operation.js';
import { invalid } from './refusal.js';

export interface KnowledgeStatusOptions {
  lookUpJob: LookUpJob;
  timeoutMs: number;
}

const pollAfterSeconds = '1';
const prefix = '/knowledge_status/';
/** Without a group: express would decode it, and answer by itself what cannot be decoded. */
const path = /^\/knowledge_status\/[^/]+$/;

export function knowledgeStatusOperation({ lookUpJob, timeoutMs }: KnowledgeStatusOptions): Operation {
  return {
    method: 'get',
    path,
    route: `${prefix}{job_id}`,
    timeoutMs,
    failure: { error: 'status_failed', message: 'The job could not be looked up' },
    prepare(req) {
      const jobId = decode(req.path.slice(prefix.length));
      return async ({ caller, exchange }) => {
        const record = await lookUpJob(caller, jobId, callOf(exchange));
        const headers = record.status === 'processing' ? { 'Retry-After': pollAfterSeconds } : {};
        return { status: 200, body: record, headers };
      };
    },
  };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw invalid([problem('string_unicode', ['path', 'job_id'])]);
  }
}
