import { nameSchemas } from './named-schemas.js';
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
