import type { FromSchema } from 'json-schema-to-ts';
import { decidedStates } from '../messages/lessons.js';
import type { Problem } from './problems.js';
import { choiceOrNull, isAbsent, isNull, requiredBooleanSchema, tenantIdSchema } from './requests.js';
import { momentSchema } from './responses.js';

export const lessonStates = [...decidedStates, 'pending'] as const;
export const insightKinds = ['strategy', 'pitfall', 'recovery'] as const;

/** In characters. */
const longest = { title: 200, text: 2000, example: 4000, note: 500 };

function required(maxLength: number) {
  return { type: 'string', minLength: 1, maxLength, pattern: '\\S' } as const;
}

function optional(maxLength: number) {
  return { type: ['string', 'null'], minLength: 1, maxLength, pattern: '\\S' } as const;
}

export const lessonChangeSchema = {
  title: 'LessonChange',
  description: 'A decision about a lesson: at least one field. What is absent stays as it is.',
  type: 'object',
  properties: {
    state: {
      ...choiceOrNull(decidedStates),
      description:
        '`muted`: never told, nor whatever says the same. `pinned`: told first where it is relevant. `approved` and ' +
        '`rejected`: for collections that require review. `active`: none of these.',
    },
    title: { ...optional(longest.title), description: 'Replaces the learnt title. `null` brings the learnt one back.' },
    text: { ...optional(longest.text), description: 'Replaces the learnt text. `null` brings the learnt one back.' },
    example: {
      ...optional(longest.example),
      description: 'Replaces the learnt example. `null` brings the learnt one back.',
    },
    note: { ...optional(longest.note), description: 'Why.' },
  },
  // Null means no change, except for texts, where it restores the learnt wording.
  not: { properties: { state: isNull, note: isNull, title: isAbsent, text: isAbsent, example: isAbsent } },
} as const;

export const nothingToChange: Problem = {
  loc: ['body'],
  msg: 'Input should have at least one of state, title, text, example and note',
  type: 'value_error',
};

export const newLessonSchema = {
  title: 'NewLesson',
  description: 'A lesson written by a person.',
  type: 'object',
  required: ['tenant_id', 'applies_when', 'text'],
  properties: {
    tenant_id: tenantIdSchema,
    applies_when: {
      ...required(longest.text),
      description: 'The task this lesson applies to, worded as a user would give it.',
    },
    text: { ...required(longest.text), description: 'What to do, in a sentence or two.' },
    title: { ...optional(longest.title), description: 'The beginning of the text, if absent.' },
    example: { ...optional(longest.example), description: 'What to do, as the agent would write it.' },
    agent_type: { ...optional(longest.title), description: 'The kind of agent that it is for. All kinds, if absent.' },
  },
} as const;

export const feedbackSchema = {
  title: 'Feedback',
  description: 'The outcome of a run that used an `enhance_task` answer.',
  type: 'object',
  required: ['tenant_id', 'enhancement_id', 'success'],
  properties: {
    tenant_id: tenantIdSchema,
    enhancement_id: {
      type: 'string',
      minLength: 1,
      maxLength: 8192,
      description: 'The `enhancement_id` of the answer.',
    },
    success: requiredBooleanSchema,
    note: { ...optional(longest.note), description: 'Why, in the words of whoever knows. Told with the lessons.' },
  },
} as const;

export const feedbackResultSchema = {
  title: 'FeedbackResult',
  type: 'object',
  required: ['counted', 'status'],
  properties: {
    counted: {
      type: 'boolean',
      description:
        'False if the answer already has an outcome, had no recommendations, or all of them have been deleted.',
    },
    status: { type: 'string' },
  },
} as const;

const lessonFields = {
  id: { type: 'string', description: 'The `id` of its recommendations.' },
  kind: { type: 'string', enum: insightKinds },
  title: { type: 'string' },
  text: { type: 'string' },
  applies_when: { type: 'string' },
  example: { type: 'string' },
  agent_type: { type: 'string' },
  state: {
    type: 'string',
    enum: lessonStates,
    description: '`pending`: not approved yet, in a collection that requires review.',
  },
  origin: { type: 'string', enum: ['reflector', 'model', 'person'], description: 'What made it.' },
  support: { type: 'integer', minimum: 0, description: 'Number of distinct runs that taught it.' },
  helped: { type: 'integer', minimum: 0, description: 'Number of runs that were told it and succeeded.' },
  harmed: { type: 'integer', minimum: 0, description: 'Number of runs that were told it and failed.' },
  first_seen: momentSchema,
  last_seen: momentSchema,
} as const;

const always = ['id', 'kind', 'title', 'text', 'state', 'origin', 'support', 'helped', 'harmed'] as const;
const seen = ['first_seen', 'last_seen'] as const;

export const lessonSchema = {
  title: 'Lesson',
  description: 'What `enhance_task` tells: one or more insights that say the same.',
  type: 'object',
  required: [...always, ...seen],
  properties: lessonFields,
} as const;

export const lessonListSchema = {
  title: 'LessonList',
  type: 'object',
  required: ['lessons'],
  properties: {
    lessons: { type: 'array', items: lessonSchema },
    cursor: { type: 'string', description: 'Send it to get the next page. Absent on the last one.' },
  },
} as const;

const evidenceSchema = {
  title: 'LessonEvidence',
  type: 'object',
  required: ['job_id', 'task', 'accepted_at', 'outcome', 'judged', 'runs', 'steps'],
  properties: {
    job_id: { type: 'string' },
    task: { type: 'string' },
    accepted_at: momentSchema,
    outcome: { type: 'string', enum: ['success', 'failure', 'unknown'] },
    judged: { type: 'boolean', description: 'The caller did not say how it ended; Whetstone inferred it.' },
    runs: { type: 'integer', minimum: 1, description: 'Runs that this one stands for, itself included.' },
    steps: {
      type: 'array',
      items: {
        type: 'object',
        required: ['turn', 'action', 'outcome'],
        properties: {
          turn: { type: 'integer' },
          action: { type: 'string' },
          outcome: { type: 'string', enum: ['ok', 'error', 'unknown'] },
          note: { type: 'string', description: 'From its result.' },
        },
      },
    },
  },
} as const;

const decisionSchema = {
  title: 'LessonDecision',
  type: 'object',
  required: ['key_id', 'decided_at'],
  properties: {
    state: { type: 'string', enum: decidedStates },
    title: { type: 'string' },
    text: { type: 'string' },
    example: { type: 'string' },
    note: { type: 'string' },
    key_id: { type: 'string', description: 'Who decided: the id of the key.' },
    decided_at: momentSchema,
  },
} as const;

const votesSchema = {
  title: 'LessonVotes',
  type: 'object',
  required: ['date', 'helped', 'harmed'],
  properties: {
    date: { type: 'string', format: 'date', description: 'UTC.' },
    helped: { type: 'integer', minimum: 0 },
    harmed: { type: 'integer', minimum: 0 },
  },
} as const;

const noteSchema = {
  title: 'LessonNote',
  type: 'object',
  required: ['given_at', 'success', 'note'],
  properties: { given_at: momentSchema, success: { type: 'boolean' }, note: { type: 'string' } },
} as const;

export const lessonDetailsSchema = {
  title: 'LessonDetails',
  type: 'object',
  required: [...always, ...seen, 'evidence', 'against', 'decisions', 'votes', 'notes'],
  properties: {
    ...lessonFields,
    evidence: { type: 'array', items: evidenceSchema, description: 'Runs that taught it, the latest first.' },
    against: { type: 'array', items: evidenceSchema, description: 'Runs at the same tasks that ended otherwise.' },
    decisions: { type: 'array', items: decisionSchema, description: 'What people decided, the latest first.' },
    votes: {
      type: 'array',
      items: votesSchema,
      description: '`helped` and `harmed` per day, newest first, for the last 90 days that have votes.',
    },
    notes: { type: 'array', items: noteSchema, description: 'The latest notes of feedback, the latest first.' },
  },
} as const;

export type LessonChange = FromSchema<typeof lessonChangeSchema>;
export type NewLesson = FromSchema<typeof newLessonSchema>;
export type Feedback = FromSchema<typeof feedbackSchema>;
export type FeedbackResult = FromSchema<typeof feedbackResultSchema>;
export type LessonAnswer = FromSchema<typeof lessonSchema>;
export type LessonList = FromSchema<typeof lessonListSchema>;
export type LessonDetails = FromSchema<typeof lessonDetailsSchema>;
