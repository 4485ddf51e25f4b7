import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

import type { OpenApi } from '../../support/answer-checker.js';

/** Says from the served document alone whether a body is valid: `/openapi.json` describes exactly what the server does. */
export interface Oracle {
  /** The operations that take JSON, as method and template. */
  operations: string[];
  expectedStatus(operation: string, text: string): number;
}

export async function createOracle(baseUrl: string): Promise<Oracle> {
  const document = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as OpenApi;
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    ownProperties: true,
    formats: { 'date-time': (text: string) => !Number.isNaN(Date.parse(text)) },
  });
  ajv.addSchema(document, 'openapi.json');
  const validators = new Map<string, ValidateFunction>();

  function fits(operation: string, body: unknown): boolean {
    let validate = validators.get(operation);
    if (!validate) {
      const [method = '', template = ''] = operation.split(' ');
      const pointer = `/paths/${template.replaceAll('/', '~1')}/${method.toLowerCase()}/requestBody/content/application~1json/schema`;
      validate = ajv.compile({ $ref: `openapi.json#${encodeURI(pointer)}` });
      validators.set(operation, validate);
    }
    return validate(body) as boolean;
  }

  return {
    operations: Object.entries(document.paths).flatMap(([template, methods]) =>
      Object.entries(methods).flatMap(([method, { requestBody }]) =>
        requestBody?.content['application/json'] ? `${method.toUpperCase()} ${template}` : [],
      ),
    ),
    expectedStatus(operation, text) {
      let body: unknown;
      try {
        body = JSON.parse(text);
      } catch {
        return 422;
      }
      if (!fits(operation, body) || /\\ud[89a-f]/i.test(loneSurrogates(body))) return 422;
      const [method = '', template = ''] = operation.split(' ');
      const { responses } = document.paths[template]?.[method.toLowerCase()] ?? { responses: {} };
      return Number(Object.keys(responses).find((status) => status.startsWith('2')));
    },
  };
}

/** JSON.stringify escapes a surrogate only where it is alone. */
function loneSurrogates(body: unknown): string {
  return JSON.stringify(body);
}
