import { type AnswerChecker, createAnswerChecker, type OpenApi } from './answer-checker.js';
import type {
  Acknowledgement,
  AgentInput,
  DeleteParameters,
  DeleteResult,
  EnhancedResponse,
  EraseResult,
  JobRecord,
  Upload,
} from './contract.js';
import { eventually } from './eventually.js';

export interface Answer<Body = unknown> {
  status: number;
  headers: Headers;
  text: string;
  body: Body;
}

export interface RequestOptions {
  headers?: Record<string, string>;
  /** Strings and bytes are sent as is, everything else as JSON. */
  body?: unknown;
}

/** A caller. Every answer is checked against openapi.json before a test sees it. */
export interface Client {
  request<Body = unknown>(method: string, path: string, options?: RequestOptions): Promise<Answer<Body>>;
  enhance(input: AgentInput): Promise<EnhancedResponse>;
  store(upload: Upload, headers?: Record<string, string>): Promise<Acknowledgement>;
  job(jobId: string, waitSeconds?: number): Promise<JobRecord>;
  jobEnded(jobId: string): Promise<JobRecord>;
  /** Stores, and waits until the job has ended. */
  learn(upload: Upload): Promise<JobRecord>;
  deleteByIntent(parameters: DeleteParameters): Promise<DeleteResult>;
  /** Erases a collection. */
  erase(tenantId: string): Promise<EraseResult>;
  /** Erases what would slow down the tests that follow; again if a busy store does not finish in time. */
  discard(tenantId: string): Promise<void>;
}

export function createClient(baseUrl: string, key?: string): Client {
  const client: Client = {
    async request<Body>(method: string, path: string, { headers = {}, body }: RequestOptions = {}) {
      const sent = await fetch(`${baseUrl}${path}`, {
        method,
        redirect: 'manual',
        headers: { ...(key ? { 'x-api-key': key } : {}), ...contentType(body), ...headers },
        ...(body === undefined ? {} : { body: payloadOf(body) }),
        signal: AbortSignal.timeout(120_000),
      });
      const text = await sent.text();
      const answer = { status: sent.status, headers: sent.headers, text, body: parsed(sent.headers, text) as Body };
      checkHeaders(answer);
      const check = await answerCheckerFor(baseUrl);
      const contentTypeSeen = sent.headers.get('content-type') ?? '';
      check({
        method,
        path: path.split('?')[0] as string,
        status: sent.status,
        contentType: contentTypeSeen,
        body: answer.body,
      });
      return answer;
    },
    async enhance(input) {
      return successful(await client.request<EnhancedResponse>('POST', '/enhance_task', { body: input }), 200);
    },
    async store(upload, headers = {}) {
      return successful(
        await client.request<Acknowledgement>('POST', '/store_knowledge', { body: upload, headers }),
        202,
      );
    },
    async job(jobId, waitSeconds) {
      const query = waitSeconds === undefined ? '' : `?wait=${waitSeconds}`;
      return successful(await client.request<JobRecord>('GET', `/knowledge_status/${jobId}${query}`), 200);
    },
    jobEnded: (jobId) =>
      eventually(
        async () => {
          const job = await client.job(jobId, 10);
          return job.status === 'processing' ? undefined : job;
        },
        { what: `job ${jobId} ends`, everyMs: 100 },
      ),
    async learn(upload) {
      const { job_id } = await client.store(upload);
      return client.jobEnded(job_id);
    },
    async deleteByIntent(parameters) {
      const query = new URLSearchParams(
        Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]),
      );
      return successful(await client.request<DeleteResult>('POST', `/delete_by_intent?${query}`), 200);
    },
    async erase(tenantId) {
      const query = new URLSearchParams({ tenant_id: tenantId, confirm: tenantId });
      return successful(await client.request<EraseResult>('DELETE', `/collections?${query}`), 200);
    },
    async discard(tenantId) {
      await eventually(() => client.erase(tenantId).catch(() => undefined), { what: `${tenantId} is erased` });
    },
  };
  return client;
}

const checkers = new Map<string, Promise<AnswerChecker>>();

function answerCheckerFor(baseUrl: string): Promise<AnswerChecker> {
  const known = checkers.get(baseUrl);
  if (known !== undefined) return known;
  const made = fetch(`${baseUrl}/openapi.json`).then(async (answer) =>
    createAnswerChecker((await answer.json()) as OpenApi),
  );
  checkers.set(baseUrl, made);
  return made;
}

/** Holds for every answer. */
function checkHeaders({ status, headers, text }: Answer): void {
  if (!/^[\w.-]{1,128}$/.test(headers.get('x-request-id') ?? '')) throw new Error(`${status} without x-request-id`);
  if (headers.has('x-powered-by')) throw new Error(`${status} says x-powered-by`);
  if (status >= 400 && !headers.get('content-type')?.startsWith('application/json')) {
    throw new Error(`${status} is not JSON but ${headers.get('content-type')}: ${text.slice(0, 200)}`);
  }
}

function successful<Body>(answer: Answer<Body>, status: number): Body {
  if (answer.status !== status) throw new Error(`${answer.status} instead of ${status}: ${answer.text.slice(0, 500)}`);
  return answer.body;
}

function contentType(body: unknown): Record<string, string> {
  return body === undefined ? {} : { 'content-type': 'application/json' };
}

function payloadOf(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return body;
  if (ArrayBuffer.isView(body)) return body as Uint8Array<ArrayBuffer>;
  return JSON.stringify(body);
}

function parsed(headers: Headers, text: string): unknown {
  return headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : undefined;
}
