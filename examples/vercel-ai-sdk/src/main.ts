import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { type Run, Whetstone } from '@whetstone/client';
import { whetstoneMiddleware } from '@whetstone/client/ai-sdk';
import { generateText, isStepCount, tool, wrapLanguageModel } from 'ai';
import { z } from 'zod';

import { startScriptedEndpoint } from './scripted-endpoint.js';

const sql = tool({
  description: 'Runs a query on the tables orders and customers',
  inputSchema: z.object({ query: z.string() }),
  execute: ({ query }) =>
    query.includes('JOIN customers') ? [{ name: 'Ada', orders: 2 }] : 'Error: no such column: customer',
});

const whetstone = new Whetstone({
  // A collection of its own, so that the first run knows nothing.
  tenant: `vercel-ai-sdk-${Date.now()}`,
  agentType: 'sql',
});
const endpoint = await startScriptedEndpoint();
const model = createOpenAICompatible({ name: 'scripted', baseURL: endpoint.url })('scripted');

async function solve(task: string): Promise<Run> {
  return whetstone.run(task, async (run) => {
    const { text, steps } = await generateText({
      model: wrapLanguageModel({ model, middleware: whetstoneMiddleware(run) }),
      prompt: task,
      tools: { sql },
      stopWhen: isStepCount(5),
    });
    run.succeeded = text.includes('Ada');
    console.log(`${run.task}\n\n  → ${text}\n  → ${steps.length} calls of the model\n`);
    return run;
  });
}

const first = await solve('How many orders did each customer place in 2024?');
await whetstone.flush();
// Learning takes a moment.
if (first.jobId !== undefined) await whetstone.getKnowledgeStatus(first.jobId, { wait: 20 });
await solve('How many orders did each customer place in 2025?');
await whetstone.close();
endpoint.close();
