import type { Scope } from '../messages/events.js';

/** How a request reaches an operation, and which keys may. */
export interface Route {
  method: 'delete' | 'get' | 'patch' | 'post';
  /** The template of OpenAPI, which is also the name in logs and metrics. */
  path: string;
  /** Any of them suffices. None: any valid key. */
  scopes: readonly Scope[];
}

/** Every operation of the API, by its `operationId`. Feeds the gateway and /openapi.json. */
export const routes = {
  getServiceStatus: { method: 'get', path: '/', scopes: [] },
  enhanceTask: { method: 'post', path: '/enhance_task', scopes: ['ask'] },
  storeKnowledge: { method: 'post', path: '/store_knowledge', scopes: ['record'] },
  storeKnowledgeBatch: { method: 'post', path: '/store_knowledge/batch', scopes: ['record'] },
  storeTraces: { method: 'post', path: '/v1/traces', scopes: ['record'] },
  deleteByIntent: { method: 'post', path: '/delete_by_intent', scopes: ['curate'] },
  eraseCollection: { method: 'delete', path: '/collections', scopes: ['curate'] },
  listCollections: { method: 'get', path: '/collections', scopes: ['curate'] },
  changeCollection: { method: 'patch', path: '/collections', scopes: ['curate'] },
  getKnowledgeStatus: { method: 'get', path: '/knowledge_status/{job_id}', scopes: ['record'] },
  giveFeedback: { method: 'post', path: '/feedback', scopes: ['ask', 'record'] },
  listRuns: { method: 'get', path: '/runs', scopes: ['curate'] },
  getRun: { method: 'get', path: '/runs/{job_id}', scopes: ['curate'] },
  listLessons: { method: 'get', path: '/lessons', scopes: ['curate'] },
  writeLesson: { method: 'post', path: '/lessons', scopes: ['curate'] },
  getLesson: { method: 'get', path: '/lessons/{id}', scopes: ['curate'] },
  changeLesson: { method: 'patch', path: '/lessons/{id}', scopes: ['curate'] },
  deleteLesson: { method: 'delete', path: '/lessons/{id}', scopes: ['curate'] },
  listKeys: { method: 'get', path: '/keys', scopes: ['admin'] },
  issueKey: { method: 'post', path: '/keys', scopes: ['admin'] },
  revokeKey: { method: 'delete', path: '/keys/{key_id}', scopes: ['admin'] },
  listAudit: { method: 'get', path: '/audit', scopes: ['admin'] },
  getUsage: { method: 'get', path: '/usage', scopes: ['admin'] },
  getUplift: { method: 'get', path: '/uplift', scopes: ['curate'] },
} as const satisfies Record<string, Route>;

export type OperationId = keyof typeof routes;

/** What `explain=true` needs of a key besides the scope of its route. */
export const explainScope: Scope = 'curate';

/** What to tell the caller whose key has none of the scopes that a route needs. */
export function scopeMissing({ method, path, scopes }: Route, held: readonly Scope[]): string {
  // The path of most operations is their name; what acts on things is called by method and path.
  const name = /^\/(\w+_\w+(?:\?.*)?)/.exec(path)?.[1] ?? `${method.toUpperCase()} ${path}`;
  return `This key may ${listOf(held, 'and')}; ${name} needs ${listOf(scopes, 'or')}`;
}

function listOf(words: readonly string[], link: 'and' | 'or'): string {
  const [others, last = 'do nothing'] = [words.slice(0, -1), words.at(-1)];
  return others.length === 0 ? last : `${others.join(', ')} ${link} ${last}`;
}
