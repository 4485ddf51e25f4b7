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

/** A run that has failed shows what did not work, and not what does. */
function kindsFor(outcome: Outcome): AnsweredInsight['kind'][] {
  return outcome === 'failure' ? ['pitfall', 'recovery'] : ['strategy', 'pitfall', 'recovery'];
}

/**
 * What a model is asked for. Only what every endpoint that takes schemas understands: all fields required, nothing else
 * allowed, no bounds but those of lists. Lengths are seen to afterwards.
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

const said = { type: 'string', pattern: '\\S' } as const;
const needed = ['kind', 'title', 'content', 'polarity', 'evidence', 'confidence'];

/** What is taken: fields that may be null may as well be missing, and a title or a content has to say something. */
function checkedSchemaFor(outcome: Outcome) {
  const kind = { type: 'string', enum: kindsFor(outcome) };
  return schemaOf({ kind, ...fields, title: said, content: said }, needed);
}

const shownProblems = 8;
const nameChars = 40;

/** Says what is wrong with an answer about such a run, for the model and for operators; undefined where nothing is. */
export type CheckAnswer = (value: unknown, outcome: Outcome) => string | undefined;

export function createCheckAnswer(): CheckAnswer {
  const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });
  const checks = {
    success: ajv.compile(checkedSchemaFor('success')),
    failure: ajv.compile(checkedSchemaFor('failure')),
    unknown: ajv.compile(checkedSchemaFor('unknown')),
  };
  return (value, outcome) => (checks[outcome](value) ? undefined : describe(checks[outcome].errors ?? []));
}

function describe(errors: readonly ErrorObject[]): string {
  return [...new Set(errors.map(describeOne))].slice(0, shownProblems).join('; ');
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
 * What a model's words come to. `answer`: insights, or plainly none. `problem`: not what was asked for; the model may be told.
 * `refusal`: it will not, and asking again changes nothing.
 */
export type ReadAnswer = { answer: Answer } | { problem: string } | { refusal: string };

export function readAnswer(said: ChatAnswer, outcome: Outcome, check: CheckAnswer): ReadAnswer {
  const { content, refusal, finishReason } = said;
  if (refusal !== undefined && refusal !== '') return { refusal: 'The model refused to answer' };
  if (finishReason === 'content_filter') return { refusal: 'The content filter of the endpoint withheld the answer' };
  const cut = finishReason === 'length' ? ', because it reached the most tokens that an answer may have' : '';
  const text = withoutWrapping(content);
  if (text === '') return { problem: `it is empty${cut}` };
  const value = parse(text);
  if (value === undefined) return { problem: cut ? `it is cut off${cut}` : 'it is not a JSON object' };
  const problem = check(value, outcome);
  return problem === undefined ? { answer: value as Answer } : { problem };
}

/** Models without structured output think aloud and put their answer into a code fence. */
function withoutWrapping(content: string): string {
  const thought = content.trimStart().startsWith('<think>') ? content.indexOf('</think>') : -1;
  const said = (thought < 0 ? content : content.slice(thought + '</think>'.length)).trim();
  if (!said.startsWith('```') || !said.endsWith('```')) return said;
  const firstLine = said.indexOf('\n');
  return firstLine < 0 ? said : said.slice(firstLine, -'```'.length).trim();
}

/** The text itself, or the object that stands in it between other words. */
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
