import type {
  ApiKey,
  CollectionChange,
  DeleteResult,
  EnhancedResponse,
  EraseResult,
  IssuedKeyAnswer,
  KeyList,
  LessonAnswer,
  LessonChange,
  LessonDetails,
  LessonList,
  Scope,
} from '@whetstone/contracts';

export type { ApiKey, EnhancedResponse, LessonAnswer, LessonChange, LessonDetails, Scope };
export type LessonState = LessonAnswer['state'];
export type Candidate = NonNullable<EnhancedResponse['metadata']['explanation']>[number];

export interface SessionInfo {
  key_id: string;
  account: string;
  scopes: Scope[];
  expires_at: string;
}

export interface Run {
  job_id: string;
  accepted_at: string;
  status: 'processing' | 'completed' | 'failed';
  query: string;
  agent_type: string | null;
  success: boolean | null;
  lessons: number;
}

export interface RunDetails extends Omit<Run, 'lessons'> {
  timeline: { event: string; at: string }[];
  trail: { action: string; outcome: string }[];
  lessons: { id: string; title: string }[];
  reason: string | null;
}

export interface Collection {
  tenant_id: string | null;
  default: boolean;
  insights: number;
  runs: number;
  last_upload_at: string | null;
  review: 'none' | 'required';
  holdout_share: number | null;
  retention_days: number | null;
}

interface Rate {
  runs: number;
  successes: number;
  rate: number | null;
}

export interface Uplift {
  with: Rate;
  without: Rate;
  difference: number | null;
  interval: [number, number] | null;
}

export interface KeyUsage {
  key_id: string;
  answers: number;
  empty_answers: number;
  uploads: number;
  bytes: number;
  refusals: number;
}

export interface AuditEntry {
  at: string;
  key_id: string | null;
  action: string;
  tenant_id?: string | null;
  subject?: unknown;
  outcome: string;
  details?: unknown;
}

/** Stands for the collection that API callers name by their key. */
export const defaultCollection = 'wst_default';

/** `undefined` if nobody knows it: the collection was not written to since an earlier version. */
export function collectionName({ tenant_id: name, default: isDefault }: Collection): string | undefined {
  return isDefault ? defaultCollection : (name ?? undefined);
}

/** Where the server is: the scripts are in `console/assets/` below it, whatever prefix a proxy adds. */
const script = import.meta.url;
const server = new URL('../../', script);
export const basePath = new URL('../', script).pathname.replace(/\/$/, '');

/** As callers outside the console use it. */
export function urlOf(path: string): string {
  return new URL(path, server).href;
}

export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }

  /** The server does not have the operation. */
  get isMissing(): boolean {
    return this.status === 404 || this.status === 405;
  }
}

let onSignedOut: () => void = () => {};

export function whenSignedOut(listener: () => void): void {
  onSignedOut = listener;
}

export type Query = Record<string, string | number | boolean | null | undefined>;

interface Call {
  method?: string;
  query?: Query;
  body?: object;
  key?: string;
  signal?: AbortSignal | undefined;
}

async function call<Answer>(
  path: string,
  { method = 'GET', query = {}, body, key, signal }: Call = {},
): Promise<Answer> {
  const url = new URL(path, server);
  for (const [name, value] of Object.entries(query)) {
    if (value != null && value !== '') url.searchParams.set(name, String(value));
  }
  const response = await fetch(url, {
    method,
    headers: {
      'x-whetstone-console': '1',
      ...(body && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'x-api-key': key }),
    },
    // What is sent while the page closes arrives all the same.
    keepalive: method !== 'GET',
    ...(body && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ApiError(0, 'The server does not answer. Is it running?');
  });
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer as Answer;
  if (response.status === 401 && key === undefined) onSignedOut();
  throw new ApiError(response.status, messageOf(response, answer));
}

function messageOf(
  response: Response,
  answer: { message?: string; detail?: { loc: unknown[]; msg: string }[] },
): string {
  if (answer.detail) return answer.detail.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`).join('; ');
  return answer.message ?? `The server answered ${response.status}`;
}

const segment = encodeURIComponent;

export const api = {
  session: () => call<SessionInfo>('console/session'),
  signIn: (key: string) => call<SessionInfo>('console/session', { method: 'POST', key }),
  signOut: () => call<object>('console/session', { method: 'DELETE' }),

  ask: (body: { tenant_id: string; input_text: string; agent_type?: string }, explain: boolean) =>
    call<EnhancedResponse>('enhance_task', { method: 'POST', query: explain ? { explain } : {}, body }),
  giveFeedback: (body: { tenant_id: string; enhancement_id: string; success: boolean }) =>
    call<{ counted: boolean }>('feedback', { method: 'POST', body }),

  lessons: (query: Query, signal?: AbortSignal) => call<LessonList>('lessons', { query, signal }),
  lesson: (tenant_id: string, id: string, signal?: AbortSignal) =>
    call<LessonDetails>(`lessons/${segment(id)}`, { query: { tenant_id }, signal }),
  changeLesson: (tenant_id: string, id: string, body: LessonChange) =>
    call<LessonAnswer>(`lessons/${segment(id)}`, { method: 'PATCH', query: { tenant_id }, body }),
  deleteLesson: (tenant_id: string, id: string) =>
    call<EraseResult>(`lessons/${segment(id)}`, { method: 'DELETE', query: { tenant_id } }),
  writeLesson: (body: object) => call<LessonAnswer>('lessons', { method: 'POST', body }),

  runs: (query: Query, signal?: AbortSignal) =>
    call<{ runs: Run[]; next_cursor: string | null }>('runs', { query, signal }),
  run: (tenant_id: string, id: string, signal?: AbortSignal) =>
    call<RunDetails>(`runs/${segment(id)}`, { query: { tenant_id }, signal }),

  collections: (query: Query, signal?: AbortSignal) =>
    call<{ collections: Collection[]; next_cursor: string | null }>('collections', { query, signal }),
  changeCollection: (tenant_id: string, body: CollectionChange & { retention_days?: number }) =>
    call<Pick<Collection, 'review'>>('collections', { method: 'PATCH', query: { tenant_id }, body }),
  eraseCollection: (tenant_id: string) =>
    call<EraseResult>('collections', { method: 'DELETE', query: { tenant_id, confirm: tenant_id } }),
  forget: (
    query: { tenant_id: string; intent: string; similarity_threshold: number; dry_run: boolean },
    signal?: AbortSignal,
  ) => call<DeleteResult>('delete_by_intent', { method: 'POST', query, signal }),

  uplift: (tenant_id: string, signal?: AbortSignal) => call<Uplift>('uplift', { query: { tenant_id }, signal }),
  usage: (days: number, signal?: AbortSignal) =>
    call<{ days: { date: string; keys: KeyUsage[] }[] }>('usage', { query: { days }, signal }),
  audit: (query: Query, signal?: AbortSignal) =>
    call<{ entries: AuditEntry[]; next_cursor: string | null }>('audit', { query, signal }),
  keys: (signal?: AbortSignal) => call<KeyList>('keys', { signal }),
  issueKey: (body: object) => call<IssuedKeyAnswer>('keys', { method: 'POST', body }),
  revokeKey: (keyId: string, reason: string) =>
    call<ApiKey>(`keys/${segment(keyId)}`, { method: 'DELETE', query: { reason } }),
};
