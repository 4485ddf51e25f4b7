import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

export interface OpenApi {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components?: { responses?: Record<string, Response> };
  [field: string]: unknown;
}

interface Operation {
  requestBody?: { content: Record<string, unknown> };
  responses: Record<string, Response & { $ref?: string }>;
  [field: string]: unknown;
}

interface Response {
  content?: Record<string, { schema?: object }>;
  [field: string]: unknown;
}

export interface SeenAnswer {
  method: string;
  /** As requested, without the query. */
  path: string;
  status: number;
  contentType: string;
  body: unknown;
}

/** Checks every answer against `/openapi.json`. Throws on anything that is not described. */
export type AnswerChecker = (answer: SeenAnswer) => void;

export function createAnswerChecker(openapi: OpenApi): AnswerChecker {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
  addFormats.default(ajv);
  ajv.addSchema(openapi, 'openapi.json');
  const validators = new Map<string, ValidateFunction>();

  function validatorAt(pointer: string): ValidateFunction {
    const known = validators.get(pointer);
    if (known) return known;
    const compiled = ajv.compile({ $ref: `openapi.json#${pointer}` });
    validators.set(pointer, compiled);
    return compiled;
  }

  return ({ method, path, status, contentType, body }) => {
    const template = templateOf(openapi, path);
    const operation = template === undefined ? undefined : openapi.paths[template]?.[method.toLowerCase()];
    if (template === undefined || !operation) return checkUndescribed(method, path, status, body);

    const where = `${method} ${template} ${status}`;
    const response = operation.responses[String(status)];
    if (!response) throw new Error(`${where} is not in openapi.json`);
    const at = response.$ref
      ? response.$ref.slice(1)
      : pointerOf('paths', template, method.toLowerCase(), 'responses', String(status));
    const described = response.$ref ? openapi.components?.responses?.[at.split('/').pop() as string] : response;
    const media = Object.keys(described?.content ?? {});
    const medium = media.find((type) => contentType.startsWith(type));
    if (medium === undefined) throw new Error(`${where} came as ${contentType}, openapi.json has ${media.join(', ')}`);
    if (!described?.content?.[medium]?.schema) return;
    const validate = validatorAt(`${at}${pointerOf('content', medium, 'schema')}`);
    if (!validate(body)) {
      throw new Error(
        `${where} is not as openapi.json says: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(body)}`,
      );
    }
  };
}

/** Paths and methods that the document cannot list answer with one of the errors. */
function checkUndescribed(method: string, path: string, status: number, body: unknown): void {
  const { error, message } = (body ?? {}) as Record<string, unknown>;
  const isError = typeof error === 'string' && typeof message === 'string';
  if (method === 'HEAD' || ([401, 404, 405, 429].includes(status) && isError)) return;
  throw new Error(
    `${method} ${path} is not in openapi.json, and ${status} ${JSON.stringify(body)} is no proper refusal`,
  );
}

function templateOf(openapi: OpenApi, path: string): string | undefined {
  return Object.keys(openapi.paths).find((template) => {
    const pattern = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+');
    return new RegExp(`^${pattern}$`).test(path);
  });
}

function pointerOf(...parts: string[]): string {
  return parts.map((part) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');
}
