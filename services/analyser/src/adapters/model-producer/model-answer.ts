import type { RunTrail } from '@whetstone/contracts';
import type { ChatAnswer } from '@whetstone/platform/openai';
import { Ajv, type ErrorObject } from 'ajv';

const text = { type: 'string' } as const;
const textOrNull = { type: ['string', 'null'] } as const;

export type Outcome = RunTrail['outcome'];

const fields = {
  title: text,
  applies_when: textOrNull,
  not_when: textOrNull,
  content: text,
  steps: { type: 'array', maxItems: 8, items: text },
  example: textOrNull,
  polarity: { type: 'string', enum: ['success', 'failure'] },
  evidence: { type: 'array', maxItems: 20, items: { type: 'integer' } },
  confidence: { type: 'string', enum: ['low', 'medium', 'high'] },
} as const;

/** A failed run does not show what works. */
function kindsFor(outcome: Outcome): AnsweredInsight['kind'][] {
  return outcome === 'failure' ? ['pitfall', 'recovery'] : ['strategy', 'pitfall', 'recovery'];
}

/**
 * The schema sent to the model. It uses only what every endpoint with schema support understands: all fields required,
 * no additional ones, no bounds except for lists. Texts are clipped later.
 */
export function answerSchemaFor(outcome: Outcome) {
  return schemaOf({ kind: { type: 'string', enum: kindsFor(outcome) }, ...fields });
}

function schemaOf(properties: Record<string, unknown>, required = Object.keys(properties)) {
  const item = { type: 'object', additionalProperties: false, required, properties };
  return {
    type: 'object',
    additionalProperties: false,
    required: ['insights'],
    properties: { insights: { type: 'array', maxItems: 3, items: item } },
  };
}

/** An insight as a model writes it. */
export interface AnsweredInsight {
  kind: 'strategy' | 'pitfall' | 'recovery';
  title: string;
  applies_when?: string | null;
  not_when?: string | null;
  content: string;
  steps?: string[];
  example?: string | null;
  polarity: 'success' | 'failure';
  evidence: number[];
  confidence: 'low' | 'medium' | 'high';
}

export interface Answer {
  insights: AnsweredInsight[];
}

const nonEmptyText = { type: 'string', pattern: '\\S' } as const;
const required = ['kind', 'title', 'content', 'polarity', 'evidence', 'confidence'];

/** The schema that answers must match: nullable fields may be missing, title and content must not be empty. */
function acceptedSchemaFor(outcome: Outcome) {
  const kind = { type: 'string', enum: kindsFor(outcome) };
  return schemaOf({ kind, ...fields, title: nonEmptyText, content: nonEmptyText }, required);
}

const maxProblems = 8;
const nameChars = 40;

/** Describes what is wrong with an answer, for the model and for operators; `undefined` if it is valid. */
export type CheckAnswer = (value: unknown, outcome: Outcome) => string | undefined;

export function createCheckAnswer(): CheckAnswer {
  const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });
  const checks = {
    success: ajv.compile(acceptedSchemaFor('success')),
    failure: ajv.compile(acceptedSchemaFor('failure')),
    unknown: ajv.compile(acceptedSchemaFor('unknown')),
  };
  return (value, outcome) => (checks[outcome](value) ? undefined : describe(checks[outcome].errors ?? []));
}

function describe(errors: readonly ErrorObject[]): string {
  return [...new Set(errors.map(describeOne))].slice(0, maxProblems).join('; ');
}

function describeOne({ instancePath, keyword, params, message }: ErrorObject): string {
  const place = instancePath === '' ? 'the answer' : instancePath.slice(1).replaceAll('/', '.');
  if (keyword === 'additionalProperties') {
    return `${place} has the unknown field ${JSON.stringify(String(params['additionalProperty']).slice(0, nameChars))}`;
  }
  if (keyword === 'enum') return `${place} must be one of ${(params['allowedValues'] as unknown[]).join(', ')}`;
  if (keyword === 'pattern') return `${place} must not be empty`;
  return `${place} ${message}`;
}

/**
 * `answer`: valid, possibly without insights. `problem`: invalid, but may be repaired. `refusal`: asking again will not
 * help.
 */
type ReadAnswer = { answer: Answer } | { problem: string } | { refusal: string };

export function readAnswer(reply: ChatAnswer, outcome: Outcome, check: CheckAnswer): ReadAnswer {
  const { content, refusal, finishReason } = reply;
  if (refusal !== undefined && refusal !== '') return { refusal: 'The model refused to answer' };
  if (finishReason === 'content_filter') return { refusal: "The endpoint's content filter withheld the answer" };
  const cut = finishReason === 'length' ? ' because it hit the output token limit' : '';
  const text = withoutWrapping(content);
  if (text === '') return { problem: `it is empty${cut}` };
  const value = parse(text);
  if (value === undefined) return { problem: cut ? `it is cut off${cut}` : 'it is not a JSON object' };
  const problem = check(value, outcome);
  return problem === undefined ? { answer: value as Answer } : { problem };
}

/** Models without structured output may think aloud and use a code fence. */
function withoutWrapping(content: string): string {
  const thought = content.trimStart().startsWith('<think>') ? content.indexOf('</think>') : -1;
  const answer = (thought < 0 ? content : content.slice(thought + '</think>'.length)).trim();
  if (!answer.startsWith('```') || !answer.endsWith('```')) return answer;
  const firstLine = answer.indexOf('\n');
  return firstLine < 0 ? answer : answer.slice(firstLine, -'```'.length).trim();
}

/** Parses the text, or the JSON object surrounded by other text. */
function parse(text: string): unknown {
  const whole = parseJson(text);
  if (whole !== undefined) return whole;
  const begin = text.indexOf('{');
  const end = text.lastIndexOf('}');
  return begin < 0 || end < begin ? undefined : parseJson(text.slice(begin, end + 1));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
