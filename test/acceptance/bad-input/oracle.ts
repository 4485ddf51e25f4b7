import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

import type { OpenApi } from '../../support/answer-checker.js';

/** Says from the served document alone whether a body is valid: `/openapi.json` describes exactly what the server does. */
export interface Oracle {
  expectedStatus(path: string, text: string): number;
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

  function fits(path: string, body: unknown): boolean {
    let validate = validators.get(path);
    if (!validate) {
      const pointer = `/paths/${path.replaceAll('/', '~1')}/post/requestBody/content/application~1json/schema`;
      validate = ajv.compile({ $ref: `openapi.json#${pointer}` });
      validators.set(path, validate);
    }
    return validate(body) as boolean;
  }

  return {
    expectedStatus(path, text) {
      let body: unknown;
      try {
        body = JSON.parse(text);
      } catch {
        return 422;
      }
      if (!fits(path, body) || /\\ud[89a-f]/i.test(loneSurrogates(body))) return 422;
      const { responses } = document.paths[path]?.['post'] ?? { responses: {} };
      return Number(Object.keys(responses).find((status) => status.startsWith('2')));
    },
  };
}

/** JSON.stringify escapes a surrogate only where it is alone. */
function loneSurrogates(body: unknown): string {
  return JSON.stringify(body);
}
