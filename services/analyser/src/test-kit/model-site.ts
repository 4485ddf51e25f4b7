import { Registry } from '@whetstone/platform';
import {
  createRecordingLogger,
  type ScriptedEndpoint,
  says,
  startScriptedEndpoint,
} from '@whetstone/platform/test-kit';

import type { AnsweredInsight } from '../adapters/model-producer/model-answer.js';
import { openModelProducer } from '../adapters/model-producer/model-producer.js';
import { createReflectorPool, type ReflectorPool } from '../adapters/reflector-pool.js';
import type { InsightProducer } from '../domain/ports.js';
import type { ModelConfig } from '../model-config.js';
import { minute, startOfTest, testSeal } from './index.js';
import { createWorkbench, type Workbench } from './workbench.js';

export interface ModelSite {
  server: ScriptedEndpoint;
  producer: InsightProducer;
  log: ReturnType<typeof createRecordingLogger>;
  registry: Registry;
  pool: ReflectorPool;
  open(change?: Partial<ModelConfig>): Promise<InsightProducer>;
  /** Processes jobs with the model. */
  bench(change?: Partial<ModelConfig>): Promise<Workbench>;
}

/** When uploads of these tests were accepted. */
export const at = startOfTest - 5 * minute;
export const goodAnswer = says(answerOf(answeredInsight()));

/** A model producer with a scripted endpoint, both new for each test of the calling file. */
export function useModelSite(): ModelSite {
  const site = { open, bench } as ModelSite;
  let threads: ReflectorPool;

  beforeAll(() => {
    threads = createReflectorPool({ threads: 1, memoryMb: 64, timeoutMs: 60_000, idleMs: 60_000 });
    site.pool = { ...threads, close: async () => {} };
  });
  afterAll(() => threads.close());
  beforeEach(async () => {
    site.server = await startScriptedEndpoint(goodAnswer);
    site.log = createRecordingLogger();
    site.registry = new Registry();
  });
  afterEach(async () => {
    await site.producer.close();
    await site.server.stop();
  });
  return site;

  async function open(change: Partial<ModelConfig> = {}): Promise<InsightProducer> {
    const { pool, registry, log } = site;
    const config: ModelConfig = {
      name: 'm1',
      baseUrl: site.server.url,
      apiKey: 'sk-of-a-test',
      output: 'auto',
      concurrency: 4,
      timeoutMs: 20_000,
      contextTokens: 8192,
      maxOutputTokens: 1024,
      ...change,
    };
    site.producer = await openModelProducer(config, { pool, logger: log.logger, registry });
    return site.producer;
  }

  async function bench(change: Partial<ModelConfig> = {}): Promise<Workbench> {
    return createWorkbench({ producer: await open(change), logger: site.log.logger });
  }
}

export function insightsIn({ knowledge }: Workbench) {
  return knowledge.calls.flatMap(({ insights }) => insights);
}

/** Why the job failed, as shown to an operator. */
export function reasonOf({ jobs }: Workbench): string {
  const end = jobs.events.at(-1);
  if (end?.status !== 'failed') throw new Error('The job has not failed');
  return testSeal.open(end.errorMessage) ?? '';
}

/** An insight as a model would write it. */
export function answeredInsight(change: Partial<AnsweredInsight> = {}): AnsweredInsight {
  return {
    kind: 'strategy',
    title: 'Look the order up before refunding it',
    applies_when: 'a refund is asked for',
    not_when: null,
    content: 'Read the order first: its state decides whether a refund is possible.',
    steps: [],
    example: 'refund(order=17)',
    polarity: 'success',
    evidence: [1],
    confidence: 'high',
    ...change,
  };
}

export function answerOf(...insights: AnsweredInsight[]): string {
  return JSON.stringify({ insights });
}
