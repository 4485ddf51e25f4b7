export interface Response {
  description: string;
  headers?: Record<string, object>;
  content: object;
}

/** A JSON body with its schema and examples by name. */
export function jsonContent(schema: object, examples: Record<string, unknown>): object {
  const named = Object.entries(examples).map(([name, value]) => [name, { value }]);
  return { 'application/json': { schema, examples: Object.fromEntries(named) } };
}
