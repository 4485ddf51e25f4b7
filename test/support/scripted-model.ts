import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the model does in one step: says something, calls tools, or both. */
export interface Step {
  says?: string;
  calls?: { id: string; name: string; arguments: object }[];
}

export interface SentMessage {
  role: string;
  content: unknown;
}

export interface ScriptedModel {
  /** Of an OpenAI-compatible endpoint. */
  url: string;
  /** The messages of each request. */
  received: SentMessage[][];
  close(): Promise<void>;
}

/** An OpenAI-compatible endpoint that takes these steps, streamed or not, whatever it is asked. */
export async function startScriptedModel(steps: readonly Step[]): Promise<ScriptedModel> {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { messages, stream } = JSON.parse(Buffer.concat(pieces).toString()) as {
        messages: SentMessage[];
        stream?: boolean;
      };
      const step = steps[model.received.push(messages) - 1];
      if (step === undefined) {
        response.writeHead(400).end('The script is over');
      } else if (stream) {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const chunk of chunksOf(step)) response.write(`data: ${JSON.stringify(chunk)}\n\n`);
        response.end('data: [DONE]\n\n');
      } else {
        const choice = { index: 0, finish_reason: reasonOf(step), message: { role: 'assistant', ...messageOf(step) } };
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ ...head, object: 'chat.completion', choices: [choice] }));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const model: ScriptedModel = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    received: [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return model;
}

const head = { id: 'scripted', created: 0, model: 'scripted' };

const reasonOf = ({ calls = [] }: Step) => (calls.length > 0 ? 'tool_calls' : 'stop');

function messageOf({ says, calls = [] }: Step): object {
  const made = calls.map(({ id, name, arguments: args }, index) => {
    return { index, id, type: 'function', function: { name, arguments: JSON.stringify(args) } };
  });
  return { content: says ?? null, ...(made.length > 0 ? { tool_calls: made } : {}) };
}

/** Words come one by one. */
function* chunksOf(step: Step): Generator<object> {
  const chunk = (delta: object, finish_reason: string | null = null) => {
    return { ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] };
  };
  for (const word of step.says?.match(/\S+\s*/g) ?? []) yield chunk({ role: 'assistant', content: word });
  if (step.calls) yield chunk(messageOf({ calls: step.calls }));
  yield chunk({}, reasonOf(step));
}
