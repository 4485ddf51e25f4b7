import { Ajv2020 } from 'ajv/dist/2020.js';

import type { OpenApi } from '../support/answer-checker.js';
import { target } from '../support/target.js';

const { baseUrl } = target();

async function openapi(): Promise<OpenApi> {
  const answer = await fetch(`${baseUrl}/openapi.json`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  return (await answer.json()) as OpenApi;
}

describe('/openapi.json', () => {
  it('is public, OpenAPI 3.1, version 1.0.0', async () => {
    const document = await openapi();

    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document['info']).toMatchObject({ version: '1.0.0' });
  });

  it('describes the operations and no path with a version in it, except that of OTLP', async () => {
    const { paths } = await openapi();
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        .filter((method) => ['get', 'post', 'put', 'delete', 'patch'].includes(method))
        .map((method) => `${method.toUpperCase()} ${path}`),
    );

    expect(operations).toEqual(
      expect.arrayContaining([
        'GET /',
        'POST /enhance_task',
        'POST /store_knowledge',
        'POST /store_knowledge/batch',
        'POST /delete_by_intent',
        'DELETE /collections',
        'PATCH /collections',
        'GET /lessons',
        'POST /lessons',
        'GET /lessons/{id}',
        'PATCH /lessons/{id}',
        'DELETE /lessons/{id}',
        'POST /feedback',
        'GET /knowledge_status/{job_id}',
        'GET /keys',
        'POST /keys',
        'DELETE /keys/{key_id}',
      ]),
    );
    expect(operations.filter((operation) => /\/v\d/.test(operation))).toEqual(['POST /v1/traces']);
  });

  it('describes the errors of each operation', async () => {
    const { paths } = await openapi();
    const statuses = (path: string, method: string) => Object.keys(paths[path]?.[method]?.responses ?? {});

    expect(statuses('/', 'get')).toEqual(expect.arrayContaining(['200', '401', '429']));
    expect(statuses('/enhance_task', 'post')).toEqual(
      expect.arrayContaining(['200', '401', '403', '413', '415', '422', '429', '500']),
    );
    expect(statuses('/store_knowledge', 'post')).toEqual(
      expect.arrayContaining(['202', '401', '403', '413', '415', '422', '429', '500']),
    );
    expect(statuses('/store_knowledge/batch', 'post')).toEqual(
      expect.arrayContaining(['200', '401', '403', '413', '415', '422', '429', '500']),
    );
    expect(statuses('/delete_by_intent', 'post')).toEqual(
      expect.arrayContaining(['200', '401', '403', '409', '422', '429', '500']),
    );
    expect(statuses('/collections', 'delete')).toEqual(
      expect.arrayContaining(['200', '401', '403', '409', '422', '429', '500']),
    );
    expect(statuses('/knowledge_status/{job_id}', 'get')).toEqual(
      expect.arrayContaining(['200', '401', '403', '404', '422', '429', '500']),
    );
    expect(statuses('/keys', 'get')).toEqual(expect.arrayContaining(['200', '401', '403', '429', '500']));
    expect(statuses('/keys', 'post')).toEqual(
      expect.arrayContaining(['201', '401', '403', '409', '413', '415', '422', '429', '500']),
    );
    expect(statuses('/keys/{key_id}', 'delete')).toEqual(
      expect.arrayContaining(['200', '401', '403', '404', '409', '422', '429', '500']),
    );
  });

  it('has examples, and they fit their schemas', async () => {
    const document = await openapi();
    const ajv = new Ajv2020({ strict: false, validateSchema: false, validateFormats: false });
    ajv.addSchema(document, 'openapi.json');
    const found = examplesIn(document, '');

    expect(found.length).toBeGreaterThanOrEqual(5);
    for (const { pointer, example } of found) {
      const fits = ajv.compile({ $ref: `openapi.json#${pointer}` });
      expect({ pointer, fits: fits(example), errors: fits.errors }).toEqual({ pointer, fits: true, errors: null });
    }
  });
});

describe('/openapi.json, for viewers and generators', () => {
  it('says how to get a key', async () => {
    const { description } = (await openapi())['info'] as { description: string };

    expect(description).toMatch(/whetstone keys issue/);
    expect(description).toMatch(/x-api-key/);
  });

  it('describes every parameter where viewers look for it', async () => {
    const parameters = operationsOf(await openapi()).flatMap(({ parameters: own = [] }) => own);

    expect(parameters.length).toBeGreaterThanOrEqual(6);
    for (const { name, description, schema } of parameters) {
      expect({ name, description }).toEqual({ name, description: expect.stringMatching(/\w/) });
      expect({ name, inSchema: 'description' in schema }).toEqual({ name, inSchema: false });
    }
  });

  it('gives similarity_threshold a plain type', async () => {
    const parameters = operationsOf(await openapi()).flatMap(({ parameters: own = [] }) => own);
    const threshold = parameters.find(({ name }) => name === 'similarity_threshold');

    expect(threshold?.schema).toEqual({ type: ['number', 'null'], minimum: 0, maximum: 1, default: 0.5 });
  });

  it('shows for each operation only validation errors that it can return', async () => {
    const document = await openapi();
    for (const { operationId, parameters = [], requestBody, responses } of operationsOf(document)) {
      const shown = exampleValuesOf(responses['422']) as { detail: { loc: string[] }[] }[];
      const bodies = exampleValuesOf(requestBody);
      const fields = [...bodies.flatMap((body) => Object.keys(body)), ...parameters.map(({ name }) => name)];
      for (const { loc } of shown.flatMap(({ detail }) => detail)) {
        const [place, field] = loc;
        // A problem of the body as a whole names no field.
        const known = field === undefined || typeof field === 'number' || fields.includes(field as string);
        const placed = place === 'body' ? bodies.length > 0 : parameters.some((one) => one.in === place);
        expect({ operationId, loc, known, placed }).toEqual({ operationId, loc, known: true, placed: true });
      }
      expect({ operationId, shown: shown.length > 0 }).toEqual({
        operationId,
        shown: parameters.length > 0 || requestBody !== undefined,
      });
    }
  });

  it('gives every constant and every enumeration a type, and every array its items', async () => {
    const unclear: string[] = [];
    function visit(node: unknown, path: string): void {
      if (typeof node !== 'object' || node === null) return;
      const fields = node as Record<string, unknown>;
      const isTyped = 'type' in fields || !('const' in fields || Array.isArray(fields['enum']));
      const isArray = fields['type'] === 'array' || (Array.isArray(fields['type']) && fields['type'].includes('array'));
      if (!isTyped || (isArray && !('items' in fields))) unclear.push(path);
      for (const [name, child] of Object.entries(fields)) if (name !== 'examples') visit(child, `${path}/${name}`);
    }
    visit(await openapi(), '');

    expect(unclear).toEqual([]);
  });

  it('names the validation errors as clients of this interface know them', async () => {
    const { schemas } = (await openapi()).components as unknown as { schemas: Record<string, unknown> };

    expect(schemas['HTTPValidationError']).toMatchObject({
      properties: { detail: { type: 'array', items: { $ref: '#/components/schemas/ValidationError' } } },
    });
    expect(schemas['ValidationError']).toMatchObject({
      required: ['loc', 'msg', 'type'],
      properties: { loc: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'integer' }] } } },
    });
  });

  it('tells job records apart by their status', async () => {
    const { schemas } = (await openapi()).components as unknown as { schemas: Record<string, JobRecordSchema> };
    const { discriminator, oneOf } = schemas['JobRecord'] as JobRecordSchema;

    expect(discriminator.propertyName).toBe('status');
    expect(Object.keys(discriminator.mapping).sort()).toEqual(['completed', 'failed', 'processing']);
    expect(Object.values(discriminator.mapping).sort()).toEqual(oneOf.map(({ $ref }) => $ref).sort());
  });
});

describe('/docs', () => {
  it('is public, shows the document, and takes nothing from elsewhere', async () => {
    const answer = await fetch(`${baseUrl}/docs`);
    const html = await answer.text();
    const loaded = [...html.matchAll(/<(?:script|link|img)[^>]+(?:src|href)="([^"]+)"/g)].map(
      ([, url]) => url as string,
    );

    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
    expect(loaded.length).toBeGreaterThan(0);
    for (const url of loaded) {
      const resource = new URL(url, answer.url);
      expect(resource.origin).toBe(new URL(baseUrl).origin);
      const loading = await fetch(resource);
      await loading.arrayBuffer();
      expect(loading.status).toBe(200);
    }
  });

  it.each([
    { range: 'bytes=99999999-' },
    { range: 'bytes=5-1' },
    { 'if-match': '"other"' },
    { 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
    { 'if-none-match': '*' },
    { 'if-modified-since': 'never' },
  ])('is shown whatever a browser asks for besides: %j', async (headers: Record<string, string>) => {
    for (const path of ['/openapi.json', '/docs', '/docs/start.js', '/docs/swagger-ui.css']) {
      const answer = await fetch(`${baseUrl}${path}`, { headers });
      await answer.text();
      expect({ path, shown: answer.status === 200 || answer.status === 304 }).toEqual({ path, shown: true });
    }
  });
});

interface JobRecordSchema {
  discriminator: { propertyName: string; mapping: Record<string, string> };
  oneOf: { $ref: string }[];
}

interface DescribedOperation {
  operationId: string;
  parameters?: { name: string; in: string; description?: string; schema: object }[];
  requestBody?: unknown;
  responses: Record<string, unknown>;
}

function operationsOf({ paths }: OpenApi): DescribedOperation[] {
  return Object.values(paths).flatMap((methods) => Object.values(methods) as unknown as DescribedOperation[]);
}

function exampleValuesOf(described: unknown): object[] {
  const { content } = (described ?? {}) as {
    content?: Record<string, { examples: Record<string, { value: object }> }>;
  };
  const [first] = Object.values(content ?? {});
  return Object.values(first?.examples ?? {}).map(({ value }) => value);
}

/** Media types with an example, and where their schema is. */
function examplesIn(node: unknown, pointer: string): { pointer: string; example: unknown }[] {
  if (typeof node !== 'object' || node === null) return [];
  const { schema, example, examples } = node as Record<string, unknown>;
  const own = [
    ...(example === undefined ? [] : [example]),
    ...Object.values((examples ?? {}) as Record<string, { value?: unknown }>).flatMap((one) =>
      one?.value === undefined ? [] : [one.value],
    ),
  ];
  const here = schema ? own.map((value) => ({ pointer: `${pointer}/schema`, example: value })) : [];
  return [
    ...here,
    ...Object.entries(node).flatMap(([name, child]) =>
      name === 'examples' || name === 'example'
        ? []
        : examplesIn(child, `${pointer}/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`),
    ),
  ];
}
