import { Ajv2020 } from 'ajv/dist/2020.js';

import { openApiDocument } from './document.js';

interface Media {
  schema: object;
  examples: Record<string, { value: unknown }>;
}

interface Described {
  content?: Record<string, Media>;
}

interface Operation extends Record<string, unknown> {
  operationId: string;
  requestBody?: Described;
  parameters?: { name: string; schema: object; example?: unknown }[];
  responses: Record<string, Described>;
}

interface Document extends Record<string, unknown> {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object>; securitySchemes: object };
}

const document = openApiDocument() as Document;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
);
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(document, 'openapi');

function fits(schema: object, value: unknown): boolean {
  const text = JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components');
  return ajv.compile(JSON.parse(text))(value) as boolean;
}

describe('the OpenAPI document', () => {
  it('describes the operations, each with its own name', () => {
    expect(operations.map(({ name }) => name)).toEqual([
      'GET /',
      'POST /enhance_task',
      'POST /store_knowledge',
      'POST /store_knowledge/batch',
      'POST /v1/traces',
      'POST /delete_by_intent',
      'DELETE /collections',
      'GET /collections',
      'PATCH /collections',
      'GET /knowledge_status/{job_id}',
      'POST /feedback',
      'GET /runs',
      'GET /runs/{job_id}',
      'GET /lessons',
      'POST /lessons',
      'GET /lessons/{id}',
      'PATCH /lessons/{id}',
      'DELETE /lessons/{id}',
      'GET /keys',
      'POST /keys',
      'DELETE /keys/{key_id}',
      'GET /audit',
      'GET /usage',
      'GET /uplift',
    ]);
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
  });

  it('asks for the key in x-api-key or as a bearer', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { version: '1.0.0' },
      security: [{ apiKey: [] }, { bearer: [] }],
      components: {
        securitySchemes: {
          apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
          bearer: { type: 'http', scheme: 'bearer' },
        },
      },
    });
  });

  it.each(operations)('says for $name which scopes it needs, with the 403 of a key without them', ({ operation }) => {
    const needed = operation['x-whetstone-scopes'] as string[];
    const { examples = {} } = operation.responses['403']?.content?.['application/json'] ?? {};

    expect('scope_missing' in examples).toBe(needed.length > 0);
    expect(operation['description']).toContain(needed.length === 0 ? 'Any valid key' : `\`${needed[0]}\``);
  });

  it('tells each schema with a title once', () => {
    expect(Object.keys(document.components.schemas).sort()).toEqual(
      [
        'AcceptedLine',
        'Acknowledgement',
        'AgentInput',
        'AgentKnowledgeUpload',
        'AgentTurn',
        'ApiKey',
        'AuditEntry',
        'AuditList',
        'BatchResult',
        'Candidate',
        'Collection',
        'CollectionChange',
        'CollectionList',
        'CollectionSettings',
        'CompletedJob',
        'DeleteResult',
        'EnhancedResponse',
        'EraseResult',
        'Error',
        'ExportTraceServiceRequest',
        'ExportTraceServiceResponse',
        'FailedJob',
        'FailedLine',
        'ForbiddenLine',
        'Feedback',
        'FeedbackResult',
        'HTTPValidationError',
        'Run',
        'RunDetails',
        'RunList',
        'InvalidLine',
        'IssuedKey',
        'JobRecord',
        'KeyList',
        'KeyRequest',
        'KeyUsage',
        'LineResult',
        'Lesson',
        'LessonChange',
        'LessonDecision',
        'LessonDetails',
        'LessonEvidence',
        'LessonList',
        'LessonNote',
        'LessonVotes',
        'NewLesson',
        'ProcessingJob',
        'Recommendation',
        'ServiceStatus',
        'Uplift',
        'Usage',
        'ValidationError',
      ].sort(),
    );
  });

  it.each(operations)('has for $name an example of every body, and they fit', ({ operation }) => {
    const { requestBody, responses } = operation;
    for (const described of [...(requestBody ? [requestBody] : []), ...Object.values(responses)]) {
      const [{ schema, examples } = { schema: {}, examples: {} }] = Object.values(described.content ?? {});
      const values = Object.values(examples).map(({ value }) => value);
      expect(values.length).toBeGreaterThan(0);
      for (const value of values) expect({ value, fits: fits(schema, value) }).toEqual({ value, fits: true });
    }
    for (const { name, schema, example } of operation.parameters ?? []) {
      if (example !== undefined) expect([name, fits(schema, example)]).toEqual([name, true]);
    }
  });

  it('refers to nothing that is not there', () => {
    const names = [...JSON.stringify(document).matchAll(/#\/components\/schemas\/(\w+)/g)].map(
      ([, name]) => name as string,
    );

    expect(names.filter((name) => !(name in document.components.schemas))).toEqual([]);
  });
});
