import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  text: string;
  at: number;
}

export type Script = (request: Received, response: ServerResponse) => void;

export interface ScriptedServer {
  url: string;
  received: Received[];
  /** Answers differently from now on. */
  script: Script;
  uploads(): Received[];
  close(): Promise<void>;
}

/** A real HTTP server that answers as it is told: badly, for the most part. */
export async function startScriptedServer(script: Script = asWhetstone): Promise<ScriptedServer> {
  const http = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      const received = { method, path, headers, text: Buffer.concat(pieces).toString(), at: performance.now() };
      server.received.push(received);
      server.script(received, response);
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const server: ScriptedServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    received: [],
    script,
    uploads: () => server.received.filter(({ path }) => path === '/store_knowledge'),
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
  return server;
}

export function answerJson(response: ServerResponse, status: number, body: object, headers: object = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

export const adviceLines = `--- Recommendations from past runs ---
1. [what worked · 1 run] Task: Count the stars
   Example: SELECT COUNT(*) FROM stars
--- End of recommendations ---`;

export const recommendation = {
  id: 'q7Vx2LmZ0aTfK9_c',
  kind: 'strategy',
  title: 'What worked',
  text: 'SELECT COUNT(*) FROM stars',
  similarity: 1,
  support: 1,
  source_job_ids: [],
};

/** With one recommendation for every task, and 202 for every upload. */
export const asWhetstone: Script = ({ path, text }, response) => {
  const { input_text, tenant_id } = JSON.parse(text);
  if (path === '/enhance_task') {
    const metadata = {
      confidence_score: 1,
      agent_type: null,
      enhancement_id: 'enh_1',
      recommendations: [recommendation],
    };
    answerJson(response, 200, { response: `${input_text}\n\n${adviceLines}`, metadata });
  } else {
    answerJson(response, 202, { status: 'accepted', message: 'Accepted', tenant_id, job_id: 'job_1' });
  }
};

/** Every answer is this one. */
export function always(status: number, body: object | string, headers: object = {}): Script {
  return (_, response) => {
    if (typeof body === 'string') response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body);
    else answerJson(response, status, body, headers);
  };
}
