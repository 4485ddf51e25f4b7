/** How a request reaches an operation. */
export interface Route {
  method: 'delete' | 'get' | 'patch' | 'post';
  /** The template of OpenAPI, which is also the name in logs and metrics. */
  path: string;
}

/** Every operation of the API, by its `operationId`. Feeds the gateway and /openapi.json. */
export const routes = {
  getServiceStatus: { method: 'get', path: '/' },
  enhanceTask: { method: 'post', path: '/enhance_task' },
  storeKnowledge: { method: 'post', path: '/store_knowledge' },
  deleteByIntent: { method: 'post', path: '/delete_by_intent' },
  eraseCollection: { method: 'delete', path: '/collections' },
  getKnowledgeStatus: { method: 'get', path: '/knowledge_status/{job_id}' },
} as const satisfies Record<string, Route>;

export type OperationId = keyof typeof routes;
