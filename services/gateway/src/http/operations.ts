import {
  explainScope,
  notPrintable,
  type Problem,
  readDeleteByIntentQuery,
  readEnhanceTaskQuery,
  readEraseCollectionQuery,
  readKnowledgeStatusQuery,
  type ServiceStatus,
  type StoreAcknowledgement,
  tooLong,
  tooShort,
} from '@whetstone/contracts';
import { readJobId } from '@whetstone/identity';
import type { Request } from 'express';
import type { DeleteByIntent } from '../domain/delete-by-intent.js';
import type { EnhanceTask } from '../domain/enhance-task.js';
import type { EraseCollection } from '../domain/erase-collection.js';
import type { LookUpJob } from '../domain/look-up-job.js';
import type { SubmitUpload } from '../domain/submit-upload.js';
import { internalFailure } from './answer.js';
import type { ReadBodies } from './bodies/read-bodies.js';
import { callerOf, exchangeOf } from './exchange.js';
import type { JobWaits } from './job-waits.js';
import { callOf, type Operation } from './operation.js';
import { pathParameter, queryOf } from './paths.js';
import { invalid, mayNotExplain } from './refusals.js';

interface StoreKnowledgeOptions {
  bodies: ReadBodies;
  submitUpload: SubmitUpload;
  timeoutMs: number;
}

const longestIdempotencyKey = 255;

export function storeKnowledgeOperation(options: StoreKnowledgeOptions): Operation {
  const { bodies, submitUpload, timeoutMs } = options;
  return {
    id: 'storeKnowledge',
    hasBody: true,
    timeoutMs,
    failure: { error: 'queueing_failed', message: 'The upload could not be queued' },
    async prepare(req, res) {
      const { problems, ...idempotency } = readIdempotencyKey(req);
      const upload = await bodies.upload(req, res, problems);

      return async ({ caller, exchange }) => {
        const { jobId } = await submitUpload(caller, { ...upload, ...idempotency });
        exchange.jobId = jobId;
        exchange.used = { uploads: 1, bytes: exchange.bodyBytes ?? 0 };
        const acknowledgement: StoreAcknowledgement = {
          status: 'accepted',
          message: 'Knowledge accepted and queued for processing',
          tenant_id: upload.tenantId,
          job_id: jobId,
        };
        return { status: 202, body: acknowledgement };
      };
    },
  };
}

/** The header of an upload, with what is wrong with it. */
export function readIdempotencyKey(req: Request): { idempotencyKey?: string; problems: Problem[] } {
  const key = req.headers['idempotency-key'];
  return typeof key === 'string' ? { idempotencyKey: key, problems: problemsOfKey(key) } : { problems: [] };
}

/** Locations start with body, query or path; the header belongs to the body. */
function problemsOfKey(key: string): Problem[] {
  const loc = ['body', 'Idempotency-Key'];
  if (key.length === 0) return [tooShort(loc, 1)];
  if (key.length > longestIdempotencyKey) return [tooLong(loc, longestIdempotencyKey)];
  return /^[\x20-\x7e]+$/.test(key) ? [] : [notPrintable(loc)];
}

interface EnhanceTaskOptions {
  bodies: ReadBodies;
  enhanceTask: EnhanceTask;
  timeoutMs: number;
}

export function enhanceTaskOperation({ bodies, enhanceTask, timeoutMs }: EnhanceTaskOptions): Operation {
  return {
    id: 'enhanceTask',
    hasBody: true,
    timeoutMs,
    failure: { error: 'enhance_failed', message: 'The task could not be enhanced' },
    async prepare(req, res) {
      const { problems = [], body: query } = readEnhanceTaskQuery(queryOf(req.originalUrl));
      const explain = query?.explain === true;
      const { scopes } = callerOf(res);
      if (explain && !scopes.includes(explainScope)) throw mayNotExplain(scopes);
      const input = { ...(await bodies.input(req, res, problems)), explain };
      return async ({ caller, exchange }) => {
        const body = await enhanceTask(caller, input, callOf(exchange));
        exchange.used = { answers: 1, emptyAnswers: body.metadata.recommendations.length === 0 ? 1 : 0 };
        return { status: 200, body };
      };
    },
  };
}

interface KnowledgeStatusOptions {
  lookUpJob: LookUpJob;
  waits: JobWaits;
  timeoutMs: number;
}

const pollAfterSeconds = '1';

export function knowledgeStatusOperation({ lookUpJob, waits, timeoutMs }: KnowledgeStatusOptions): Operation {
  return {
    id: 'getKnowledgeStatus',
    timeoutMs,
    failure: { error: 'status_failed', message: 'The job could not be looked up' },
    prepare(req, res) {
      const jobId = pathParameter(req.path, 'getKnowledgeStatus', 'job_id');
      const { problems, body: query } = readKnowledgeStatusQuery(queryOf(req.originalUrl));
      if (problems) throw invalid(problems);
      const waitMs = query.waitSeconds * 1000;
      if (waitMs > 0) exchangeOf(res).waitMs = waitMs;
      return async ({ caller, exchange }) => {
        // Anything else in the path may be a secret, so it is not logged.
        if (readJobId(jobId)) exchange.jobId = jobId;
        const wait = waitMs > 0 ? waits.begin(caller.keyId) : undefined;
        const beganMs = performance.now();
        try {
          const waiting = wait && { ms: waitMs, signal: wait.signal };
          const record = await lookUpJob(caller, jobId, callOf(exchange), waiting);
          const headers = record.status === 'processing' ? { 'Retry-After': pollAfterSeconds } : {};
          return { status: 200, body: record, headers };
        } finally {
          if (wait) {
            waits.end(caller.keyId, wait);
            exchange.waitedMs = performance.now() - beganMs;
          }
        }
      };
    },
  };
}

interface DeleteByIntentOptions {
  deleteByIntent: DeleteByIntent;
  timeoutMs: number;
}

export function deleteByIntentOperation({ deleteByIntent, timeoutMs }: DeleteByIntentOptions): Operation {
  return {
    id: 'deleteByIntent',
    timeoutMs,
    failure: { error: 'delete_failed', message: 'The deletion did not finish; some insights may have been deleted' },
    prepare(req) {
      const { problems, body: query } = readDeleteByIntentQuery(queryOf(req.originalUrl));
      if (problems) throw invalid(problems);
      return async ({ caller, exchange }) => ({
        status: 200,
        body: await deleteByIntent(caller, query, exchange.arrivedAt, callOf(exchange)),
      });
    },
  };
}

interface EraseCollectionOptions {
  eraseCollection: EraseCollection;
  timeoutMs: number;
}

export function eraseCollectionOperation({ eraseCollection, timeoutMs }: EraseCollectionOptions): Operation {
  return {
    id: 'eraseCollection',
    timeoutMs,
    failure: { error: 'delete_failed', message: 'The deletion did not finish; some insights may have been deleted' },
    prepare(req) {
      const { problems, body: query } = readEraseCollectionQuery(queryOf(req.originalUrl));
      if (problems) throw invalid(problems);
      return async ({ caller, exchange }) => ({
        status: 200,
        body: await eraseCollection(caller, query, exchange.arrivedAt, callOf(exchange)),
      });
    },
  };
}

const status: ServiceStatus = { status: 'ok', service: 'whetstone', version: '1.0.0' };

export function serviceStatusOperation(): Operation {
  return {
    id: 'getServiceStatus',
    timeoutMs: 5000,
    failure: internalFailure,
    prepare: () => async () => ({ status: 200, body: status }),
  };
}
