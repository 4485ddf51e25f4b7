import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type ModelServer, startModelServer } from '@whetstone/deploy';
import { createLogger, Registry } from '@whetstone/platform';
import { createModelEndpoint, type ModelEndpointOptions } from '@whetstone/platform/openai';
import { Ajv } from 'ajv';

import { type Account, createAccounts, createOperator, unique } from '../../support/accounts.js';
import type { Client } from '../../support/client.js';
import type { JobRecord, Upload } from '../../support/contract.js';
import { eventually } from '../../support/eventually.js';
import { type Product, startProduct } from '../../support/product.js';
import { whetstoneCommand } from '../../support/whetstone-command.js';

const longMs = 600_000;
const signal = new AbortController().signal;
const ask = (content: string) => ({ messages: [{ role: 'user' as const, content }], max_tokens: 120 });

/** A short lesson, so that a busy machine answers soon. */
const lessonSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['kind', 'title', 'evidence'],
  properties: {
    kind: { type: 'string', enum: ['strategy', 'pitfall', 'recovery'] },
    title: { type: 'string', minLength: 3, maxLength: 60 },
    evidence: { type: 'array', items: { type: 'integer', minimum: 1, maximum: 9 }, minItems: 1, maxItems: 2 },
  },
};

interface ExportedRow {
  type: string;
  model: string;
  dimension: number;
  body: { origin: { producer: { name: string; version: string } } };
}

/** llama.cpp with a model of 135 million parameters. The tests check the form of its answers, not their content. */
describe('a real model server', () => {
  let folder: string;
  let server: ModelServer;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whetstone-model-'));
    server = await startModelServer({ folder: join(folder, 'server') });
  }, longMs);
  afterAll(async () => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  function open(change: Partial<ModelEndpointOptions> = {}) {
    const registry = new Registry();
    const logger = createLogger({ service: 'test', level: 'silent', pretty: false });
    const { baseUrl, apiKey } = server;
    const rest = { model: 'smollm2', timeoutMs: longMs, variables: 'WHETSTONE_MODEL', logger, registry };
    return { registry, endpoint: createModelEndpoint({ baseUrl, apiKey, ...rest, ...change }) };
  }

  it(
    'answers by the schema, and counts tokens',
    async () => {
      const { endpoint, registry } = open();

      const answer = await endpoint.chat(
        {
          ...ask('An agent deleted log files with find in turn 2. What does that teach? Answer in JSON.'),
          response_format: { type: 'json_schema', json_schema: { name: 'lesson', strict: true, schema: lessonSchema } },
        },
        signal,
      );

      expect(new Ajv().validate(lessonSchema, JSON.parse(answer.content))).toBe(true);
      const sums = [...(await registry.metrics()).matchAll(/token_usage_sum\{.*type="(\w+)"\} (\d+)/g)];
      expect(sums.map(([, type, count]) => [type, Number(count) > 5])).toEqual([
        ['input', true],
        ['output', true],
      ]);
    },
    longMs,
  );

  it(
    'is told apart by what is wrong: too long, too slow, the wrong key',
    async () => {
      const tooLong = ask('a b c '.repeat(server.contextTokens));
      await expect(open().endpoint.chat(tooLong, signal)).rejects.toMatchObject({ kind: 'context_overflow' });

      const slow = open({ timeoutMs: 1 }).endpoint.chat(ask('Count to one thousand.'), signal);
      await expect(slow).rejects.toMatchObject({ kind: 'timeout' });

      const stranger = open({ apiKey: 'another' }).endpoint.chat(ask('Hello'), signal);
      await expect(stranger).rejects.toMatchObject({ kind: 'unauthorized', isAway: true });
    },
    longMs,
  );

  it(
    'gives the same vector for the same text, and others for others',
    async () => {
      const { endpoint } = open();

      const [one, again, other] = [
        await endpoint.embed('delete old log files', signal),
        await endpoint.embed('delete old log files', signal),
        await endpoint.embed('book a flight to Rome', signal),
      ];

      expect(one).toHaveLength(server.dimension);
      expect(again).toEqual(one);
      expect(other).not.toEqual(one);
    },
    longMs,
  );

  it(
    'embeds for a product that is told to use it',
    async () => {
      const env = {
        WHETSTONE_EMBEDDING_MODEL: 'smollm2',
        WHETSTONE_EMBEDDING_DIMENSION: String(server.dimension),
        WHETSTONE_EMBEDDING_BASE_URL: server.baseUrl,
        WHETSTONE_EMBEDDING_API_KEY: server.apiKey,
      };
      await withProduct('embedding', env, async ({ client }, product) => {
        const upload = aRecovery(unique('tenant'));
        expect(await endOf(client, upload)).toMatchObject({ status: 'completed' });

        const rows = await exportedRows({ WHETSTONE_DATA: product.dataFolder, ...env });
        expect(rows.length).toBeGreaterThan(1);
        for (const row of rows) expect(row).toMatchObject({ model: 'smollm2', dimension: server.dimension });
        const { response } = await client.enhance({ tenant_id: upload.tenant_id, input_text: upload.query });
        expect(response).toContain('find /var/tmp');
        expect(await metricsOf(product)).toMatch(/token_usage_sum\{gen_ai_operation_name="embeddings".*\} [1-9]/);
      });
    },
    longMs,
  );

  /** Such a small model often stops early or breaks the rules of a lesson, so no test depends on what it says. */
  it(
    'learns for a product that is told to use it, or is to blame by name',
    async () => {
      const env = {
        WHETSTONE_MODEL_NAME: 'smollm2',
        WHETSTONE_MODEL_BASE_URL: server.baseUrl,
        WHETSTONE_MODEL_API_KEY: server.apiKey,
        WHETSTONE_MODEL_TIMEOUT_MS: '100000',
        WHETSTONE_MODEL_CONTEXT_TOKENS: String(server.contextTokens),
        WHETSTONE_MODEL_MAX_OUTPUT_TOKENS: '300',
        WHETSTONE_JOB_TRIES: '2',
      };
      await withProduct('learning', env, async ({ client }, product) => {
        const job = await endOf(client, aRecovery(unique('tenant')));

        expect(await metricsOf(product)).toMatch(
          /token_usage_sum\{gen_ai_operation_name="chat".*type="output"\} [1-9]/,
        );
        expect(product.printed()).not.toContain('does not support this output mode');
        const rows = await exportedRows({ WHETSTONE_DATA: product.dataFolder });
        expect(rows.length > 0).toBe(job.status === 'completed');
        expect(rows.filter(({ type }) => type === 'insight')).toHaveLength(job.insights_stored ?? 0);
        // If it invents every example, the reflector's lessons are used.
        const producers = [
          { name: 'model:smollm2', version: 'prompt-v2' },
          expect.objectContaining({ name: 'reflector' }),
        ];
        for (const { body } of rows) expect(producers).toContainEqual(body.origin.producer);
        if (job.status !== 'failed') return;
        const why = await createOperator(product.target).openError(job.error_message as string);
        expect(why).toMatch(/analysis_failed: The (model|run)\b.* \(tries: 2\)/s);
      });
    },
    longMs,
  );

  async function withProduct(
    name: string,
    env: Record<string, string>,
    work: (account: Account, product: Product) => Promise<void>,
  ): Promise<void> {
    const product = await startProduct({ folder: join(folder, name), env });
    try {
      await work(await createAccounts(product.target).open(), product);
    } finally {
      await product.stop();
    }
  }
});

async function endOf(client: Client, upload: Upload): Promise<JobRecord> {
  const { job_id: jobId } = await client.store(upload);
  return eventually(
    async () => {
      const record = await client.job(jobId);
      return record.status === 'processing' ? undefined : record;
    },
    { what: 'the job has an end', withinMs: longMs, everyMs: 200 },
  );
}

async function metricsOf({ target }: Product): Promise<string> {
  return (await fetch(`${target.opsUrl}/metrics`)).text();
}

async function exportedRows(env: Record<string, string>): Promise<ExportedRow[]> {
  const file = join(env['WHETSTONE_DATA'] as string, 'exported.jsonl');
  await whetstoneCommand(env).ask('knowledge', 'export', '--out', file);
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as ExportedRow);
}

function aRecovery(tenantId: string): Upload & { tenant_id: string; query: string } {
  return {
    tenant_id: tenantId,
    query: 'Delete all .log files larger than 10 MB under /var/tmp',
    agent_type: 'shell',
    success: true,
    turns: [
      {
        turn: 1,
        inputs: 'Delete the files',
        decision: 'ls -l /var/tmp | grep .log | xargs rm',
        result: 'rm: report: No such file or directory',
      },
      {
        turn: 2,
        inputs: 'rm: report: No such file or directory',
        decision: 'find /var/tmp -name "*.log" -size +10M -delete',
        result: '',
      },
    ],
  };
}
