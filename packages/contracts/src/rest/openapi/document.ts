import { describePaths } from './operations.js';

export const apiVersion = '1.0.0';

const description = `Agents upload their runs; Whetstone learns lessons from them and returns the relevant ones before the next task.

**Getting a key.** Every operation needs an API key, in the header \`x-api-key\` or as \`Authorization: Bearer\`. The operators of this server issue keys with
\`whetstone keys issue --account NAME --approved-by NAME --reason TEXT\`; a server that you start yourself on a terminal prints
a first one. To try operations on this page, press **Authorize** and paste the key. It stays in this browser tab until you close it.

**Scopes.** A key may \`ask\`, \`record\`, \`curate\`, \`admin\`, or several of them. Each operation says which scope it needs, for programs in
\`x-whetstone-scopes\`: any of those listed suffices.

**Request ids.** Every response has the header \`x-request-id\`: the one you sent, if it matches \`[\\w.-]{1,128}\`, or a new one.

**Limits.** Bodies may be gzipped. Unknown paths return 404; known paths with another method return 405 with \`Allow\`.`;

/** The API in OpenAPI 3.1, made from the schemas that validate requests. */
export function openApiDocument(): object {
  const named = nameSchemas(describePaths());
  return {
    openapi: '3.1.0',
    info: {
      title: 'Whetstone',
      version: apiVersion,
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [{ name: 'Knowledge' }, { name: 'Lessons' }, { name: 'Runs' }, { name: 'Keys' }, { name: 'Service' }],
    security: [{ apiKey: [] }, { bearer: [] }],
    paths: named.document,
    components: {
      schemas: named.schemas,
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: 'Issued by the operators of this server: `whetstone keys issue`.',
        },
        bearer: { type: 'http', scheme: 'bearer', description: 'The same key as `Authorization: Bearer`.' },
      },
    },
  };
}

/** Moves every schema that has a title to `components` and puts a reference in its place. */
function nameSchemas(document: object): { document: object; schemas: Record<string, unknown> } {
  const schemas: Record<string, unknown> = {};

  function walk(node: unknown): unknown {
    if (Array.isArray(node)) return node.map(walk);
    if (typeof node !== 'object' || node === null) return node;
    const { title } = node as { title?: unknown };
    const walked = Object.fromEntries(
      Object.entries(node).map(([name, child]) => [name, keep(name) ? child : walk(child)]),
    );
    if (typeof title !== 'string' || !isSchema(node)) return walked;
    schemas[title] = walked;
    return { $ref: `#/components/schemas/${title}` };
  }

  return { document: walk(document) as object, schemas };
}

/** A `title` inside an example is data. */
function keep(name: string): boolean {
  return name === 'example' || name === 'examples' || name === 'info';
}

function isSchema(node: object): boolean {
  return 'type' in node || 'oneOf' in node;
}
