import { setTimeout as sleep } from 'node:timers/promises';

import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { OpenTelemetry } from '@ai-sdk/otel';
import { trace } from '@opentelemetry/api';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { Whetstone } from '@whetstone/client';
import { startScriptedEndpoint } from '@whetstone/example-vercel-ai-sdk/scripted-endpoint';
import { generateText, isStepCount, registerTelemetry, tool } from 'ai';
import { z } from 'zod';

// What an application with telemetry has anyway. Spans go to the Collector at OTEL_EXPORTER_OTLP_ENDPOINT, by default on this machine.
const telemetry = new NodeSDK({ serviceName: 'shop', metricReaders: [], logRecordProcessors: [] });
telemetry.start();
registerTelemetry(new OpenTelemetry());

const sql = tool({
  description: 'Runs a query on the tables orders and customers',
  inputSchema: z.object({ query: z.string() }),
  execute: ({ query }) =>
    query.includes('JOIN customers') ? [{ name: 'Ada', orders: 2 }] : 'Error: no such column: customer',
});
const endpoint = await startScriptedEndpoint();
const model = createOpenAICompatible({ name: 'scripted', baseURL: endpoint.url })('scripted');

// Only to ask: the traces report.
const whetstone = new Whetstone({
  tenant: process.env['WHETSTONE_TENANT'] ?? 'example-otel-collector',
  agentType: 'sql',
});

function solve(question: string): Promise<void> {
  return trace.getTracer('shop').startActiveSpan('question', async (span) => {
    const { response: prompt, metadata } = await whetstone.enhanceTask({ input_text: question });
    const { text, steps } = await generateText({
      model,
      prompt,
      tools: { sql },
      stopWhen: isStepCount(5),
      telemetry: { functionId: 'sql' },
    });
    span.setAttribute('whetstone.enhancement_id', metadata.enhancement_id);
    span.setAttribute('whetstone.success', text.includes('Ada'));
    span.end();
    console.log(`${prompt}\n\n  → ${text}\n  → ${steps.length} calls of the model\n`);
  });
}

/** A trace becomes a run some seconds after it has ended. */
async function learnt(question: string): Promise<void> {
  for (let tries = 0; tries < 60; tries++) {
    const { metadata } = await whetstone.enhanceTask({ input_text: question });
    if (metadata.recommendations.length > 0) return;
    await sleep(1000);
  }
  console.error('Nothing was learnt from the trace: does the Collector run, and does it reach Whetstone?');
}

await solve('How many orders did each customer place in 2024?');
await learnt('How many orders did each customer place in 2025?');
await solve('How many orders did each customer place in 2025?');
await telemetry.shutdown();
endpoint.close();
