import { paths } from './operations.js';

export const apiVersion = '1.0.0';

const description = `Agents upload what they did; Whetstone learns lessons from it and hands the relevant ones back before the
next task.

Every operation needs the header \`x-api-key\`. Every answer has the header \`x-request-id\`, taken from the request where it
fits \`[\\w.-]{1,128}\` and made otherwise. Bodies may be gzipped. Unknown paths are a 404, other methods a 405 with \`Allow\`.`;

/** The interface in OpenAPI 3.1, made from the schemas that validate. */
export function openApiDocument(): object {
  const named = nameSchemas(paths);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Whetstone',
      version: apiVersion,
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [{ name: 'Knowledge' }, { name: 'Service' }],
    security: [{ apiKey: [] }],
    paths: named.document,
    components: {
      schemas: named.schemas,
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
    },
  };
}

/**
 * Takes every schema with a title out of the document and puts a reference in its place, so that a schema that is used in
 * several places is told once.
 */
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

/** Examples are data: a title in them is no schema's. */
function keep(name: string): boolean {
  return name === 'example' || name === 'examples' || name === 'info';
}

function isSchema(node: object): boolean {
  return 'type' in node || 'oneOf' in node;
}
