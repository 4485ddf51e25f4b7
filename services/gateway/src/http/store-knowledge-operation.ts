import { hash } from 'node:crypto';

import {
  type BodyChecks,
  notPrintable,
  type Problem,
  type StoreAcknowledgement,
  tooLong,
  tooShort,
} from '@whetstone/contracts';

import type { SubmitUpload } from '../domain/submit-upload.js';
import { checkBody } from './check-body.js';
import type { Operation } from './operation.js';
import { readBody } from './read-body.js';

export interface StoreKnowledgeOptions {
  checks: BodyChecks;
  maxBodyBytes: number;
  submitUpload: SubmitUpload;
  timeoutMs: number;
}

const longestIdempotencyKey = 255;

export function storeKnowledgeOperation(options: StoreKnowledgeOptions): Operation {
  const { checks, maxBodyBytes, submitUpload, timeoutMs } = options;
  return {
    method: 'post',
    path: '/store_knowledge',
    route: '/store_knowledge',
    timeoutMs,
    failure: { error: 'queueing_failed', message: 'The upload could not be queued' },
    async prepare(req, res) {
      const body = await readBody(req, res, maxBodyBytes);
      const key = req.headers['idempotency-key'];
      const idempotencyKey = typeof key === 'string' ? key : undefined;
      const keyProblems = idempotencyKey === undefined ? [] : problemsOfKey(idempotencyKey);
      const upload = checkBody(body, checks.agentKnowledgeUpload, keyProblems);

      return async ({ caller }) => {
        const { jobId } = await submitUpload(caller, {
          upload,
          bodyDigest: hash('sha256', body, 'hex'),
          ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
        });
        const acknowledgement: StoreAcknowledgement = {
          status: 'accepted',
          message: 'Knowledge accepted and queued for processing',
          tenant_id: upload.tenant_id,
          job_id: jobId,
        };
        return { status: 202, body: acknowledgement };
      };
    },
  };
}

/** The key comes in a header; places begin with body, query or path, and the body is what it is about. */
function problemsOfKey(key: string): Problem[] {
  const loc = ['body', 'Idempotency-Key'];
  if (key.length === 0) return [tooShort(loc, 1)];
  if (key.length > longestIdempotencyKey) return [tooLong(loc, longestIdempotencyKey)];
  return /^[\x20-\x7e]+$/.test(key) ? [] : [notPrintable(loc)];
}
