import { createHash } from 'node:crypto';

import type { AcceptedUpload, Interaction } from '@whetstone/contracts';
import { decodeUploadSync } from '@whetstone/event-log';
import { createJobIds, createRootSecrets, createSeal, workflowCollectionIdOf } from '@whetstone/identity';

import { outlineMessage } from '../domain/jobs/outline-message.js';
import type { InsightProducer, Reflection, Run } from '../domain/ports.js';
import { reflectionOf } from './reflection-of.js';

export const testRoots = createRootSecrets('a root secret of the tests, long enough');
const jobIds = createJobIds(testRoots);
export const testSeal = createSeal(testRoots);

export interface UploadOptions {
  at: number;
  tenant?: string;
  query?: string;
  turns?: Interaction['turns'];
  replayedAt?: number;
}

export function anUpload({ at, tenant = 'shop', query = 'Refund an order', ...rest }: UploadOptions): AcceptedUpload {
  const { turns = [someTurn], replayedAt } = rest;
  const interaction: Interaction = { query, turns, success: true, agentType: 'tool-calling', timestamp: at };
  return { ...uploadOf(interaction, at, tenant), ...(replayedAt === undefined ? {} : { replayedAt }) };
}

export function uploadOf(interaction: Interaction, at: number, tenant: string): AcceptedUpload {
  const collectionId = workflowCollectionIdOf('acme', tenant);
  return {
    jobId: jobIds.issue({ account: 'acme', collectionId }, at),
    collectionId,
    keyId: 'k1',
    acceptedAt: at,
    bodyDigest: createHash('sha256').update(JSON.stringify(interaction)).digest('hex'),
    interaction,
  };
}

export function createPlainProducer(
  produce: (it: Interaction, signal: AbortSignal) => Promise<Reflection> = (it) => Promise.resolve(reflectionOf(it)),
) {
  return {
    produce: async (run, signal) => produce(await unpacked(run), signal),
    outline: async ({ message, key }) => outlineMessage(decodeUploadSync(message, key)),
    close: () => Promise.resolve(),
  } satisfies InsightProducer;
}

const someTurn = { turn: 1, inputs: 'order 17', decision: 'refund(order=17)', result: 'ok' };

async function unpacked(run: Run): Promise<Interaction> {
  return 'message' in run ? (decodeUploadSync(run.message, run.key) as AcceptedUpload).interaction : run;
}
