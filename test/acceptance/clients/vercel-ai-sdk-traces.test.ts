import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { OpenTelemetry } from '@ai-sdk/otel';
import { trace } from '@opentelemetry/api';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { generateText, isStepCount, registerTelemetry } from 'ai';

import { type Account, createAccounts, unique } from '../../support/accounts.js';
import { eventually } from '../../support/eventually.js';
import { startScriptedModel } from '../../support/scripted-model.js';
import { target } from '../../support/target.js';
import { lessons } from '../../support/uploads.js';
import { steps, tools } from './shell-agent.js';

const { task, command, asked } = lessons.logs;
const tenantId = unique('ai-sdk-traces');
let account: Account;
let telemetry: NodeSDK;

beforeAll(async () => {
  account = await createAccounts().open();
  // As docs/traces.md says.
  Object.assign(process.env, {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${target().baseUrl}/v1/traces`,
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: `x-api-key=${account.key},x-whetstone-tenant=${tenantId}`,
    OTEL_METRICS_EXPORTER: 'none',
    OTEL_LOGS_EXPORTER: 'none',
  });
  telemetry = new NodeSDK();
  telemetry.start();
  registerTelemetry(new OpenTelemetry());
});

it('what the Vercel AI SDK traces becomes a run, and its lesson comes back at the next task', async () => {
  const model = await startScriptedModel(steps);
  const scripted = createOpenAICompatible({ name: 'scripted', baseURL: model.url })('scripted');
  await trace.getTracer('test').startActiveSpan('task', async (span) => {
    const settings = { tools, stopWhen: isStepCount(5), telemetry: { functionId: 'shell' } };
    const { text } = await generateText({ model: scripted, prompt: task, ...settings });
    span.setAttribute('whetstone.success', text.includes('gone'));
    span.end();
  });
  await telemetry.shutdown();
  await model.close();

  const { client } = account;
  const run = await eventually(
    async () => {
      const path = `/runs?tenant_id=${tenantId}&status=completed`;
      return (await client.request<{ runs: { job_id: string }[] }>('GET', path)).body.runs[0];
    },
    { what: 'the trace has become a run', everyMs: 500 },
  );
  expect(run).toMatchObject({ query: task, success: true, agent_type: 'shell' });
  const { body } = await client.request('GET', `/runs/${run.job_id}?tenant_id=${tenantId}`);
  expect(body).toMatchObject({
    trail: [
      { action: expect.stringContaining('xargs rm'), outcome: 'failed' },
      { action: expect.stringContaining(command), outcome: 'ok' },
    ],
  });
  const { response } = await client.enhance({ tenant_id: tenantId, input_text: asked, agent_type: 'shell' });
  expect(response).toContain(command);
});
