import { setTimeout as sleep } from 'node:timers/promises';

import type { Acknowledgement, EnhancedResponse, JobRecord } from '../../support/contract.js';
import { inParallel } from '../../support/eventually.js';
import type { Answer, Answerer, Question } from '../answerer.js';
import type { Interaction } from '../interaction.js';
import { exampleIn } from './baselines.js';

export interface RestServiceOptions {
  url: string;
  key: string;
  /** Prefix of all collection names, so that no two runs share one. */
  prefix: string;
  atOnce?: number;
}

/** Outcomes of the uploads. */
export interface Learnt {
  uploads: number;
  insights: number;
  nothingToLearn: number;
  failed: number;
}

export interface RestService extends Answerer {
  learnt: Learnt;
  /** The answer as returned by the API. */
  respond(collection: string, question: Question): Promise<EnhancedResponse>;
}

const patienceMs = 30 * 60_000;

/** The service as any caller sees it: uploads, polls jobs until they end, asks. */
export function createRestService({ url, key, prefix, atOnce = 8 }: RestServiceOptions): RestService {
  const origins = new Map<string, Interaction>();
  const asked = new Map<string, Promise<EnhancedResponse>>();
  const known = new Set<string>();
  const learnt: Learnt = { uploads: 0, insights: 0, nothingToLearn: 0, failed: 0 };
  const tenantOf = (collection: string) => `${prefix}-${collection}`;

  async function call<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    for (let tries = 1; ; tries++) {
      const answer = await fetch(`${url}${path}`, {
        method,
        headers: { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(120_000),
      }).catch((error: Error) => {
        const { cause } = error as { cause?: { code?: string } };
        throw new Error(`${url} cannot be reached: ${cause?.code ?? error.message}`);
      });
      if (answer.ok) return (await answer.json()) as Body;
      const text = await answer.text();
      const later = answer.headers.get('retry-after');
      if (later === null || tries >= 20)
        throw new Error(`${method} ${path} answered ${answer.status}: ${text.slice(0, 500)}`);
      await sleep(Math.max(200, Number(later) * 1000));
    }
  }

  async function jobEnded(jobId: string): Promise<JobRecord> {
    const deadline = Date.now() + patienceMs;
    for (let pauseMs = 20; ; pauseMs = Math.min(1_000, pauseMs * 2)) {
      const job = await call<JobRecord>('GET', `/knowledge_status/${jobId}`);
      if (job.status !== 'processing') return job;
      if (Date.now() > deadline)
        throw new Error(`Job ${jobId} is still processing after ${patienceMs / 60_000} minutes`);
      await sleep(pauseMs);
    }
  }

  const service: RestService = {
    name: 'Whetstone',
    learnt,
    knows: (collection) => known.has(collection),
    async learn(collection, interactions) {
      known.add(collection);
      const jobs = await inParallel(interactions, atOnce, async (interaction) => {
        const upload = { ...interaction.upload, tenant_id: tenantOf(collection) };
        const { job_id } = await call<Acknowledgement>('POST', '/store_knowledge', upload);
        origins.set(job_id, interaction);
        return job_id;
      });
      for (const record of await inParallel(jobs, 2, jobEnded)) {
        learnt.uploads++;
        learnt.insights += record.insights_stored ?? 0;
        if (record.outcome === 'nothing_to_learn') learnt.nothingToLearn++;
        if (record.status === 'failed') learnt.failed++;
      }
    },
    respond(collection, { text, agentType }) {
      const input = { tenant_id: tenantOf(collection), input_text: text, agent_type: agentType };
      const once = JSON.stringify(input);
      const answer = asked.get(once) ?? call<EnhancedResponse>('POST', '/enhance_task', input);
      asked.set(once, answer);
      return answer;
    },
    async ask(collection, question) {
      return readAnswer(await service.respond(collection, question), question, origins);
    },
  };
  return service;
}

function readAnswer(
  { response, metadata }: EnhancedResponse,
  { text }: Question,
  origins: ReadonlyMap<string, Interaction>,
): Answer {
  if (!response.startsWith(text))
    throw new Error(`The response does not begin with the task: ${response.slice(0, 200)}`);
  return {
    recommendations: metadata.recommendations.map((recommendation) => {
      const example = exampleIn(recommendation.text);
      return {
        text: recommendation.text,
        ...(example === undefined ? {} : { example }),
        sources: recommendation.source_job_ids.flatMap((id) => origins.get(id) ?? []),
      };
    }),
    added: response.slice(text.length),
    confidence: metadata.confidence_score,
  };
}
