import type { components, operations } from './openapi.js';
import { type CallOptions, type Connection, defaultTimeoutMs, send } from './transport.js';

export type Schemas = components['schemas'];

type OperationId = keyof operations;
type QueryOf<Id extends OperationId> = NonNullable<operations[Id]['parameters']['query']>;

/** With `tenant_id` optional: it is the client's own unless you name another. */
type OwnTenant<Fields> = Omit<Fields, 'tenant_id'> & { tenant_id?: string };

export interface StoreOptions extends CallOptions {
  /** Makes a retried upload the same job, if the body is the same. */
  idempotencyKey?: string | undefined;
}

/** A deletion reads the whole collection; the server gives up after a minute. */
const deletionTimeoutMs = 70_000;
/** Of a batch, up to 32 MiB. */
const batchTimeoutMs = 120_000;

/**
 * One method for each operation of the REST interface, named after it. They send once and throw a `WhetstoneError` if that fails;
 * its `retryable` says whether another try makes sense. Fields are named as in `/openapi.json`, which describes them.
 */
export class Operations {
  /** The collection of every call that names no other. */
  readonly tenant: string;
  /** With the key hidden: an object that is printed prints its fields. */
  readonly #connection: Connection;

  constructor(tenant: string, connection: Connection) {
    this.tenant = tenant;
    this.#connection = connection;
  }

  /** Is the key good? */
  getServiceStatus(options?: CallOptions): Promise<Schemas['ServiceStatus']> {
    return this.#call('GET', '/', options);
  }

  /** Before a task. `run` does this, too, and never throws. */
  enhanceTask(
    { explain, ...input }: OwnTenant<Schemas['AgentInput']> & QueryOf<'enhanceTask'>,
    options?: CallOptions,
  ): Promise<Schemas['EnhancedResponse']> {
    return this.#call('POST', '/enhance_task', options, { query: { explain }, body: this.#own(input) });
  }

  /** After a task. 202 means durable. `run` does this in the background, and again if it fails. */
  storeKnowledge(
    upload: OwnTenant<Schemas['AgentKnowledgeUpload']>,
    { idempotencyKey, ...options }: StoreOptions = {},
  ): Promise<Schemas['Acknowledgement']> {
    const body = this.#own(upload);
    return this.#call('POST', '/store_knowledge', options, { body, headers: idempotency(idempotencyKey) });
  }

  /** Many runs at once; the result has a line for each. */
  storeKnowledgeBatch(
    uploads: readonly OwnTenant<Schemas['AgentKnowledgeUpload']>[],
    { idempotencyKey, ...options }: StoreOptions = {},
  ): Promise<Schemas['BatchResult']> {
    return this.#call(
      'POST',
      '/store_knowledge/batch',
      { timeoutMs: batchTimeoutMs, ...options },
      {
        body: uploads.map((upload) => JSON.stringify(this.#own(upload))).join('\n'),
        headers: { 'content-type': 'application/x-ndjson', ...idempotency(idempotencyKey) },
      },
    );
  }

  /** Runs as OpenTelemetry traces, in the JSON of OTLP. Emitters send theirs without this client. */
  storeTraces(
    request: Schemas['ExportTraceServiceRequest'],
    options?: CallOptions,
  ): Promise<Schemas['ExportTraceServiceResponse']> {
    const headers = { 'x-whetstone-tenant': this.tenant };
    return this.#call('POST', '/v1/traces', options, { body: request, headers });
  }

  /** The state of an upload; with `wait`, once its job has ended or so many seconds have passed. */
  getKnowledgeStatus(
    jobId: string,
    query: QueryOf<'getKnowledgeStatus'> = {},
    options?: CallOptions,
  ): Promise<Schemas['JobRecord']> {
    const timeoutMs = defaultTimeoutMs + 1000 * Number(query.wait ?? 0);
    return this.#call('GET', `/knowledge_status/${encode(jobId)}`, { timeoutMs, ...options }, { query });
  }

  /** Forgets a kind of task; `dry_run` shows what would go. */
  deleteByIntent(query: OwnTenant<QueryOf<'deleteByIntent'>>, options?: CallOptions): Promise<Schemas['DeleteResult']> {
    const call = { query: this.#own(query) };
    return this.#call('POST', '/delete_by_intent', { timeoutMs: deletionTimeoutMs, ...options }, call);
  }

  /** Tells the outcome of a run that is not uploaded. */
  giveFeedback(feedback: OwnTenant<Schemas['Feedback']>, options?: CallOptions): Promise<Schemas['FeedbackResult']> {
    return this.#call('POST', '/feedback', options, { body: this.#own(feedback) });
  }

  listRuns(query: OwnTenant<QueryOf<'listRuns'>> = {}, options?: CallOptions): Promise<Schemas['RunList']> {
    return this.#call('GET', '/runs', options, { query: this.#own(query) });
  }

  getRun(
    jobId: string,
    query: OwnTenant<QueryOf<'getRun'>> = {},
    options?: CallOptions,
  ): Promise<Schemas['RunDetails']> {
    return this.#call('GET', `/runs/${encode(jobId)}`, options, { query: this.#own(query) });
  }

  listLessons(query: OwnTenant<QueryOf<'listLessons'>> = {}, options?: CallOptions): Promise<Schemas['LessonList']> {
    return this.#call('GET', '/lessons', options, { query: this.#own(query) });
  }

  writeLesson(lesson: OwnTenant<Schemas['NewLesson']>, options?: CallOptions): Promise<Schemas['Lesson']> {
    return this.#call('POST', '/lessons', options, { body: this.#own(lesson) });
  }

  getLesson(
    id: string,
    query: OwnTenant<QueryOf<'getLesson'>> = {},
    options?: CallOptions,
  ): Promise<Schemas['LessonDetails']> {
    return this.#call('GET', `/lessons/${encode(id)}`, options, { query: this.#own(query) });
  }

  /** Mutes, pins, approves, rejects or edits a lesson. */
  changeLesson(
    id: string,
    { tenant_id, ...change }: Schemas['LessonChange'] & { tenant_id?: string },
    options?: CallOptions,
  ): Promise<Schemas['Lesson']> {
    const query = { tenant_id: tenant_id ?? this.tenant };
    return this.#call('PATCH', `/lessons/${encode(id)}`, options, { query, body: change });
  }

  deleteLesson(
    id: string,
    query: OwnTenant<QueryOf<'deleteLesson'>> = {},
    options?: CallOptions,
  ): Promise<Schemas['EraseResult']> {
    const call = { query: this.#own(query) };
    return this.#call('DELETE', `/lessons/${encode(id)}`, { timeoutMs: deletionTimeoutMs, ...options }, call);
  }

  listCollections(query: QueryOf<'listCollections'> = {}, options?: CallOptions): Promise<Schemas['CollectionList']> {
    return this.#call('GET', '/collections', options, { query });
  }

  /** Requires review, limits retention, holds answers out. */
  changeCollection(
    { tenant_id, ...change }: Schemas['CollectionChange'] & { tenant_id?: string },
    options?: CallOptions,
  ): Promise<Schemas['CollectionSettings']> {
    const query = { tenant_id: tenant_id ?? this.tenant };
    return this.#call('PATCH', '/collections', options, { query, body: change });
  }

  /** Erases a whole collection: name it twice. */
  eraseCollection(query: QueryOf<'eraseCollection'>, options?: CallOptions): Promise<Schemas['EraseResult']> {
    return this.#call('DELETE', '/collections', { timeoutMs: deletionTimeoutMs, ...options }, { query });
  }

  listKeys(options?: CallOptions): Promise<Schemas['KeyList']> {
    return this.#call('GET', '/keys', options);
  }

  /** The answer shows the key, only this once. */
  issueKey(request: Schemas['KeyRequest'], options?: CallOptions): Promise<Schemas['IssuedKey']> {
    return this.#call('POST', '/keys', options, { body: request });
  }

  revokeKey(keyId: string, query: QueryOf<'revokeKey'> = {}, options?: CallOptions): Promise<Schemas['ApiKey']> {
    return this.#call('DELETE', `/keys/${encode(keyId)}`, options, { query });
  }

  listAudit(query: QueryOf<'listAudit'> = {}, options?: CallOptions): Promise<Schemas['AuditList']> {
    return this.#call('GET', '/audit', options, { query });
  }

  getUsage(query: QueryOf<'getUsage'> = {}, options?: CallOptions): Promise<Schemas['Usage']> {
    return this.#call('GET', '/usage', options, { query });
  }

  /** How much more often runs succeed with recommendations. */
  getUplift(query: OwnTenant<QueryOf<'getUplift'>> = {}, options?: CallOptions): Promise<Schemas['Uplift']> {
    return this.#call('GET', '/uplift', options, { query: this.#own(query) });
  }

  #own<Fields extends { tenant_id?: string }>(fields: Fields): Fields & { tenant_id: string } {
    return { ...fields, tenant_id: fields.tenant_id ?? this.tenant };
  }

  async #call<Answer>(
    method: string,
    path: string,
    options: CallOptions = {},
    call: { query?: Record<string, unknown>; body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    return (await send(this.#connection, { ...options, ...call, method, path })) as Answer;
  }
}

function idempotency(key: string | undefined): Record<string, string> {
  return key === undefined ? {} : { 'idempotency-key': key };
}

const encode = encodeURIComponent;
