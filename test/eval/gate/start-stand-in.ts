import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { AgentInput, EnhancedResponse, Upload } from '../../support/contract.js';
import { firstDelimiter, lastDelimiter } from '../../support/contract.js';

export interface StoredRun extends Upload {
  jobId: string;
}

/** Answers from the runs of a collection, best first. */
export type Recommending = (runs: readonly StoredRun[], task: string) => { text: string; runs: readonly StoredRun[] }[];

export interface StandIn {
  url: string;
  end(): Promise<void>;
}

/** A server with the same API and a given way of answering: simulates services that are wrong in a known way. */
export async function startStandIn(recommend: Recommending): Promise<StandIn> {
  const collections = new Map<string, StoredRun[]>();
  let jobs = 0;
  const server = createServer((request, response) => {
    void answer(request).then(({ status, body }) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });

  async function answer(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
    if (request.url === '/store_knowledge') {
      const upload = (await bodyOf(request)) as Upload;
      const jobId = `job_${++jobs}`;
      collections.set(upload.tenant_id, [...(collections.get(upload.tenant_id) ?? []), { ...upload, jobId }]);
      return { status: 202, body: { status: 'accepted', message: '', tenant_id: upload.tenant_id, job_id: jobId } };
    }
    if (request.url === '/enhance_task') {
      const { tenant_id, input_text } = (await bodyOf(request)) as AgentInput;
      return { status: 200, body: enhanced(input_text, recommend(collections.get(tenant_id) ?? [], input_text)) };
    }
    return { status: 200, body: { status: 'completed', insights_stored: 1, outcome: 'stored' } };
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async end() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function enhanced(task: string, said: ReturnType<Recommending>): EnhancedResponse {
  const lines = said.map(({ text }, index) => `${index + 1}. ${text}`);
  return {
    response: said.length === 0 ? task : [task, '', firstDelimiter, ...lines, lastDelimiter].join('\n'),
    metadata: {
      confidence_score: said.length === 0 ? 0 : 0.9,
      enhancement_id: 'none',
      recommendations: said.map(({ text, runs }, index) => ({
        id: `insight_${index}`,
        kind: 'strategy',
        title: '',
        text,
        similarity: 0.9,
        support: runs.length,
        source_job_ids: runs.map(({ jobId }) => jobId),
      })),
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString());
}
