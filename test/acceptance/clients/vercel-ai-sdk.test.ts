import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { type Run, Whetstone } from '@whetstone/client';
import { whetstoneMiddleware } from '@whetstone/client/ai-sdk';
import { generateText, isStepCount, streamText, wrapLanguageModel } from 'ai';

import { type Account, createAccounts, unique } from '../../support/accounts.js';
import { inheritedEnvironment, projectFolder } from '../../support/product.js';
import { type ScriptedModel, startScriptedModel } from '../../support/scripted-model.js';
import { target } from '../../support/target.js';
import { lessons } from '../../support/uploads.js';
import { steps, tools } from './shell-agent.js';

const url = target().baseUrl;
const { task, command, asked } = lessons.logs;
let account: Account;
let client: Whetstone;
let model: ScriptedModel;

beforeAll(async () => {
  account = await createAccounts().open();
});

beforeEach(async () => {
  client = new Whetstone({
    tenant: unique('ai-sdk'),
    agentType: 'shell',
    url,
    key: account.key,
    adviceTimeoutMs: 60_000,
    uploadTimeoutMs: 60_000,
  });
  model = await startScriptedModel(steps);
});

afterEach(async () => {
  await client.close();
  await model.close();
});

function wrapped(run: Run) {
  const scripted = createOpenAICompatible({ name: 'scripted', baseURL: model.url })('scripted');
  return wrapLanguageModel({ model: scripted, middleware: whetstoneMiddleware(run) });
}

async function generate(run: Run, prompt: string): Promise<string> {
  const { text } = await generateText({ model: wrapped(run), prompt, tools, stopWhen: isStepCount(5) });
  return text;
}

async function stream(run: Run, prompt: string): Promise<string> {
  const { textStream } = streamText({ model: wrapped(run), prompt, tools, stopWhen: isStepCount(5) });
  const words = [];
  for await (const word of textStream) words.push(word);
  return words.join('');
}

async function learnt(run: Run) {
  await client.flush(60_000);
  const { jobId = '' } = run;
  await client.getKnowledgeStatus(jobId, { wait: 30 });
  return client.getRun(jobId);
}

describe('the middleware for the Vercel AI SDK', () => {
  it.each([
    ['generateText', generate],
    ['streamText', stream],
  ])('with %s teaches what the model did, and tells it at the next task', async (_, solve) => {
    const first = await client.run(task, async (run) => {
      const text = await solve(run, task);
      expect(text).toContain('They are gone.');
      run.succeeded = true;
      return run;
    });
    const { trail, success } = await learnt(first);
    await model.close();
    model = await startScriptedModel(steps.slice(1));
    await client.run(asked, (run) => solve(run, asked));
    const contents = model.received.map((messages) => messages.find(({ role }) => role === 'user')?.content);

    expect(success).toBe(true);
    expect(trail.map(({ action }) => action)).toEqual([
      expect.stringContaining('xargs rm'),
      expect.stringContaining('find /var'),
      'They are gone.',
    ]);
    // In every step, and as one text.
    expect(contents).toHaveLength(2);
    for (const content of contents) {
      expect(content).toMatch(/^Under \/var.*\n\n--- Recommendations from past runs ---\n/);
      expect(content).toContain(command);
    }
  });

  it('records nothing twice when the SDK repeats a call, and nothing of earlier tasks', async () => {
    const turns: unknown[] = [];
    const run = await client.run(task);
    run.turn = (turn) => turns.push(turn);
    run.succeeded = true;
    const failing = createOpenAICompatible({
      name: 'scripted',
      baseURL: model.url,
      fetch: async (...request) => {
        calls += 1;
        return calls === 1 ? new Response('busy', { status: 503 }) : fetch(...request);
      },
    })('scripted');
    let calls = 0;
    const messages = [
      { role: 'user' as const, content: 'Hello' },
      { role: 'assistant' as const, content: 'What can I do?' },
      { role: 'user' as const, content: task },
    ];
    const watched = wrapLanguageModel({ model: failing, middleware: whetstoneMiddleware(run) });
    await generateText({ model: watched, messages, tools, stopWhen: isStepCount(5) });
    await run.finish();

    expect(turns).toEqual([
      {
        turn: 1,
        inputs: task,
        decision: expect.stringContaining('xargs rm'),
        memory: 'I look for them first.',
        result: 'rm: report: No such file or directory',
      },
      { turn: 2, inputs: 'rm: report: No such file or directory', decision: expect.any(String), result: 'exit code 0' },
      { turn: 3, inputs: 'exit code 0', decision: 'They are gone.' },
    ]);
  });

  it('records what the model had said when its stream was aborted', async () => {
    const turns: unknown[] = [];
    const run = await client.run(task);
    run.turn = (turn) => turns.push(turn);
    run.succeeded = false;
    const chunk = {
      id: '1',
      created: 0,
      model: 'scripted',
      choices: [{ index: 0, delta: { content: 'I look for ' } }],
    };
    const endless = createOpenAICompatible({
      name: 'scripted',
      baseURL: model.url,
      fetch: async (_, init) => {
        const start = (controller: ReadableStreamDefaultController) => {
          controller.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(chunk)}\n\n`));
          init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason));
        };
        return new Response(new ReadableStream({ start }), { headers: { 'content-type': 'text/event-stream' } });
      },
    })('scripted');
    const watched = wrapLanguageModel({ model: endless, middleware: whetstoneMiddleware(run) });
    const abort = new AbortController();
    const { textStream } = streamText({ model: watched, prompt: task, abortSignal: abort.signal });
    for await (const word of textStream) if (word !== '') abort.abort();
    await run.finish();

    expect(turns).toEqual([{ turn: 1, inputs: task, decision: 'I look for ' }]);
  });

  it('works as the example shows', async () => {
    const example = join(projectFolder, 'examples/vercel-ai-sdk/dist/main.js');
    const env = { ...inheritedEnvironment(), WHETSTONE_URL: url, WHETSTONE_KEY: account.key };
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [example], { env });

    expect(stderr).toBe('');
    expect(stdout).toMatch(/in 2024\?\n\n.*\n.*3 calls of the model/);
    expect(stdout).toMatch(/in 2025\?\n\n--- Recommendations[\s\S]*2 calls of the model/);
  });
});
