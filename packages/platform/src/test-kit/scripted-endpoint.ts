import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface SeenRequest {
  path: string;
  headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the client under test has sent
  body: any;
}

/** What the server does with one request. */
export type ScriptedAnswer = (response: ServerResponse, request: SeenRequest) => void;

/** A local server that speaks like a model's endpoint and does with each request what the test says, well or badly. */
export interface ScriptedEndpoint {
  /** With `/v1`. */
  readonly url: string;
  readonly requests: SeenRequest[];
  /** In this order; the last of them again and again. */
  answer(...answers: ScriptedAnswer[]): void;
  stop(): Promise<void>;
}

export async function startScriptedEndpoint(...first: ScriptedAnswer[]): Promise<ScriptedEndpoint> {
  let script = first;
  const requests: SeenRequest[] = [];
  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const seen = { path: request.url ?? '', headers: request.headers, body: await json(request) };
    requests.push(seen);
    const next = script.length > 1 ? script.shift() : script[0];
    next?.(response, seen);
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    answer(...answers) {
      script = answers;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export interface Said {
  finishReason?: string;
  refusal?: string;
  usage?: { prompt_tokens: number; completion_tokens: number };
}

/** A whole answer of a model. */
export function says(content: string | null, { finishReason = 'stop', refusal, usage }: Said = {}): ScriptedAnswer {
  const message = { role: 'assistant', content, ...(refusal === undefined ? {} : { refusal }) };
  return sends(200, {
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: finishReason }],
    ...(usage ? { usage } : {}),
  });
}

/** Any status and body: an object goes as JSON, a text as it is. */
export function sends(status: number, body: object | string, headers: Record<string, string> = {}): ScriptedAnswer {
  return (response) => {
    const isText = typeof body === 'string';
    response.writeHead(status, { 'content-type': isText ? 'text/html' : 'application/json', ...headers });
    response.end(isText ? body : JSON.stringify(body));
  };
}

/** Never answers. */
export function hangs(): ScriptedAnswer {
  return () => {};
}

/** Begins an answer and never ends it. */
export function stopsHalfway(): ScriptedAnswer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"choices": [{"message"');
  };
}

/** Ends the connection without an answer. */
export function resets(): ScriptedAnswer {
  return (response) => response.socket?.resetAndDestroy();
}

/** Ends the connection in the middle of an answer. */
export function breaksOff(): ScriptedAnswer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"choices": [{"message"', () => response.socket?.destroy());
  };
}
