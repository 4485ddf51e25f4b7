import { createRequire } from 'node:module';
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';

import { type McpArguments, type McpToolName, mcpTools } from '../mcp-tools.js';
import { type CollectionChange, collectionChangeSchema, nothingToSet } from './collection-settings.js';
import { readDateTime } from './date-time.js';
import { expiresTwice, type KeyRequestBody, keyRequestSchema } from './keys.js';
import {
  type Feedback,
  feedbackSchema,
  type LessonChange,
  lessonChangeSchema,
  type NewLesson,
  newLessonSchema,
  nothingToChange,
} from './lessons.js';
import {
  blank,
  type Location,
  maxProblems,
  noDateTime,
  notOneOf,
  notPrintable,
  type PlainProblem,
  type Problem,
  problem,
  tooFew,
  tooGreat,
  tooLong,
  tooShort,
  tooSmall,
} from './problems.js';
import {
  type AgentInput,
  type AgentKnowledgeUpload,
  agentInputSchema,
  agentKnowledgeUploadSchema,
  lenientBooleanSchema,
  maxInputBytes,
  readLenientBoolean,
  requiredBooleanSchema,
} from './requests.js';

/** A valid body, or all its problems. */
export type Checked<Body> = { body: Body; problems?: never } | { problems: Problem[]; body?: never };

export interface BodyChecks {
  agentInput(value: unknown): Checked<AgentInput>;
  agentKnowledgeUpload(value: unknown): Checked<AgentKnowledgeUpload>;
  keyRequest(value: unknown): Checked<KeyRequestBody>;
  lessonChange(value: unknown): Checked<LessonChange>;
  newLesson(value: unknown): Checked<NewLesson>;
  feedback(value: unknown): Checked<Feedback>;
  collectionChange(value: unknown): Checked<CollectionChange>;
  mcpArguments: { [Name in McpToolName]: (value: unknown) => Checked<McpArguments[Name]> };
}

export interface BodyCheckOptions {
  /** Compiles the schemas at once, for an event loop that no request may hold; otherwise with the first body of each kind. */
  compileNow: boolean;
}

export function createBodyChecks({ compileNow }: BodyCheckOptions): BodyChecks {
  let compiler: Ajv2020 | undefined;

  /** `otherwise` is the problem of a body whose fields are all valid, and which its schema refuses as a whole. */
  function check<Body>(schema: BodySchema, otherwise?: Problem): (value: unknown) => Checked<Body> {
    let fits: ValidateFunction<Body> | undefined;
    const compiled = () => {
      compiler ??= createCompiler();
      fits ??= compiler.compile<Body>(schema);
      return fits;
    };
    if (compileNow) compiled();
    return (value) => {
      if (compiled()(value)) return { body: value as Body };
      const problems = explain(schema, value, ['body']);
      return { problems: problems.length === 0 && otherwise ? [otherwise] : problems };
    };
  }

  const fitsAgentInput = check<AgentInput>(agentInputSchema);
  return {
    agentInput(value) {
      const checked = fitsAgentInput(value);
      if (inputBytes(value) <= maxInputBytes) return checked;
      return { problems: [...(checked.problems ?? []), inputTooLong].slice(-maxProblems) };
    },
    agentKnowledgeUpload: check<AgentKnowledgeUpload>(agentKnowledgeUploadSchema),
    keyRequest: check<KeyRequestBody>(keyRequestSchema, expiresTwice),
    lessonChange: check<LessonChange>(lessonChangeSchema, nothingToChange),
    newLesson: check<NewLesson>(newLessonSchema),
    feedback: check<Feedback>(feedbackSchema),
    collectionChange: check<CollectionChange>(collectionChangeSchema, nothingToSet),
    mcpArguments: {
      get_recommendations: check(mcpTools.get_recommendations.inputSchema),
      record_run: check(mcpTools.record_run.inputSchema),
      give_feedback: check(mcpTools.give_feedback.inputSchema),
      search_lessons: check(mcpTools.search_lessons.inputSchema),
    },
  };
}

function createCompiler(): Ajv2020 {
  const { Ajv2020 } = createRequire(import.meta.url)('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  return new Ajv2020({
    // A test validates the schemas; compiling the meta-schema takes longer than compiling both of them.
    validateSchema: false,
    allowUnionTypes: true,
    // A number too large for a double is still JSON; fields that need a number have bounds.
    strictNumbers: false,
    formats: { 'date-time': (text: string) => readDateTime(text).reason === undefined },
  });
}

const inputTooLong = tooLong(['body', 'input_text'], maxInputBytes, `${maxInputBytes} bytes together with context`);

/** Counts whatever is text, even if other fields are invalid, so that all problems are reported at once. */
function inputBytes(value: unknown): number {
  const { input_text: text, context } = (value ?? {}) as Partial<Record<keyof AgentInput, unknown>>;
  let bytes = textBytes(text);
  for (const [name, part] of Object.entries(context ?? {})) bytes += textBytes(name) + textBytes(part);
  return bytes;
}

function textBytes(value: unknown): number {
  return typeof value === 'string' ? Buffer.byteLength(value) : 0;
}

/** The part of JSON Schema that the request bodies use. */
interface BodySchema {
  readonly type?: string | readonly string[];
  /** Of a value or null. Booleans in many spellings are read apart. */
  readonly anyOf?: readonly BodySchema[];
  readonly not?: unknown;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, BodySchema>>;
  readonly items?: BodySchema;
  readonly minItems?: number;
  readonly enum?: readonly (string | number)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly additionalProperties?: boolean | BodySchema;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
}

/**
 * Lists the problems of an invalid value, up to `maxProblems`, in the order of the schema's fields.
 *
 * Ajv decides quickly whether a value is valid. This walks the schema again for invalid ones and stops early, because the list
 * of all of Ajv's errors can be far larger than the body.
 */
function explain(schema: BodySchema, value: unknown, loc: Location): Problem[] {
  const problems: Problem[] = [];
  visit(schema, value, loc, problems);
  return problems.slice(0, maxProblems);
}

function visit(schema: BodySchema, value: unknown, loc: Location, problems: Problem[]): void {
  if (problems.length >= maxProblems) return;
  if (value === null && (schema.type?.includes('null') || schema.anyOf?.some(({ type }) => type === 'null'))) return;
  if (schema === lenientBooleanSchema || schema === requiredBooleanSchema) add(problems, booleanProblem(value, loc));
  else if (schema.anyOf?.[0]) visit(schema.anyOf[0], value, loc, problems);
  else if (schema.type?.includes('object') && schema.type.includes('string')) add(problems, valueProblem(value, loc));
  else if (schema.enum) add(problems, schema.enum.includes(value as string) ? undefined : notOneOf(loc, schema.enum));
  else if (schema.type?.includes('string')) add(problems, textProblem(schema, value, loc));
  else if (schema.type?.includes('integer')) add(problems, integerProblem(schema, value, loc));
  else if (schema.type?.includes('number')) add(problems, numberProblem(schema, value, loc));
  else if (schema.type === 'boolean') add(problems, typeof value === 'boolean' ? undefined : problem('bool_type', loc));
  else if (schema.type === 'array') visitItems(schema, value, loc, problems);
  else visitObject(schema, value, loc, problems);
}

function visitItems(schema: BodySchema, value: unknown, loc: Location, problems: Problem[]): void {
  const { items = {}, minItems = 0 } = schema;
  if (!Array.isArray(value)) {
    problems.push(problem('list_type', loc));
    return;
  }
  if (value.length < minItems) problems.push(tooFew(loc, minItems, value.length));
  for (let index = 0; index < value.length && problems.length < maxProblems; index += 1) {
    visit(items, value[index], [...loc, index], problems);
  }
}

function visitObject(schema: BodySchema, value: unknown, loc: Location, problems: Problem[]): void {
  if (!isObject(value)) {
    problems.push(problem(schema.properties ? 'model_attributes_type' : 'dict_type', loc));
    return;
  }
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (Object.hasOwn(value, name)) visit(field, value[name], [...loc, name], problems);
    else if (schema.required?.includes(name)) problems.push(problem('missing', [...loc, name]));
  }
  if (typeof schema.additionalProperties !== 'object') return;
  for (const name in value) {
    if (problems.length >= maxProblems) return;
    // Keep the answer valid Unicode even if the name is not.
    visit(schema.additionalProperties, value[name], [...loc, name.replace(/\p{Surrogate}/gu, '\ufffd')], problems);
  }
}

function valueProblem(value: unknown, loc: Location): Problem | undefined {
  return value === null ? problem('string_type', loc) : undefined;
}

function textProblem(schema: BodySchema, value: unknown, loc: Location): Problem | undefined {
  const isDateTime = schema.format === 'date-time';
  if (typeof value !== 'string') return problem(isDateTime ? 'datetime_type' : 'string_type', loc);
  if (isDateTime) {
    const { reason } = readDateTime(value);
    return reason === undefined ? undefined : noDateTime(loc, reason);
  }
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern } = schema;
  const length = value.length > maxLength ? [...value].length : value.length;
  if (length < minLength) return tooShort(loc, minLength);
  if (length > maxLength) return tooLong(loc, maxLength);
  if (pattern === undefined || new RegExp(pattern, 'u').test(value)) return undefined;
  return value.trim() === '' ? blank(loc) : notPrintable(loc);
}

function integerProblem(schema: BodySchema, value: unknown, loc: Location): Problem | undefined {
  const type = integerProblemType(value);
  return type ? problem(type, loc) : rangeProblem(schema, value, loc);
}

function numberProblem(schema: BodySchema, value: unknown, loc: Location): Problem | undefined {
  if (typeof value !== 'number') return problem('float_type', loc);
  return Number.isFinite(value) ? rangeProblem(schema, value, loc) : problem('finite_number', loc);
}

function rangeProblem({ minimum, maximum }: BodySchema, value: unknown, loc: Location): Problem | undefined {
  if (minimum !== undefined && Number(value) < minimum) return tooSmall(loc, minimum);
  return maximum !== undefined && Number(value) > maximum ? tooGreat(loc, maximum) : undefined;
}

function integerProblemType(value: unknown): PlainProblem | undefined {
  if (typeof value === 'string')
    return Number.isInteger(Number(value)) && value.trim() !== '' ? 'int_type' : 'int_parsing';
  if (typeof value !== 'number') return 'int_type';
  if (!Number.isInteger(value)) return Number.isFinite(value) ? 'int_from_float' : 'int_parsing_size';
  return Number.isSafeInteger(value) ? undefined : 'int_parsing_size';
}

function booleanProblem(value: unknown, loc: Location): Problem | undefined {
  if (readLenientBoolean(value) !== undefined) return undefined;
  const isReadable = typeof value === 'string' || Number.isInteger(value);
  return problem(isReadable ? 'bool_parsing' : 'bool_type', loc);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function add(problems: Problem[], found: Problem | undefined): void {
  if (found) problems.push(found);
}
