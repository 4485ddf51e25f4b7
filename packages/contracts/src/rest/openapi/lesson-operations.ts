import { collectionChangeSchema, collectionSettingsSchema, nothingToSet } from '../collection-settings.js';
import { listLessonsParameters, noQuery, onlyRelevance, tenantParameters } from '../lesson-queries.js';
import {
  feedbackResultSchema,
  feedbackSchema,
  lessonChangeSchema,
  lessonDetailsSchema,
  lessonListSchema,
  lessonSchema,
  newLessonSchema,
  nothingToChange,
} from '../lessons.js';
import { problem, tooGreat, tooLong } from '../problems.js';
import { noSuchCursor } from '../query-parameters.js';
import { eraseResultSchema } from '../responses.js';
import {
  type Described,
  failure,
  jsonContent,
  links,
  optionalParameter,
  queryParameter,
  requestBody,
} from './answers.js';
import { exampleLessonId, lessonExamples as examples, exampleTask } from './lesson-examples.js';

const tenant = queryParameter('tenant_id', tenantParameters.tenant_id, { required: true, example: 'ops-bot' });
const lessonId = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The `id` of the lesson, and of its recommendations.',
  schema: { type: 'string' },
  example: exampleLessonId,
};
const missingTenant = problem('missing', ['query', 'tenant_id']);
const smallBodies = 'Bodies are limited to 16 KiB.';

export const listLessons: Described = {
  tags: ['Lessons'],
  summary: 'List the lessons of a collection',
  parameters: [
    tenant,
    optionalParameter('q', listLessonsParameters.q, { example: exampleTask }),
    optionalParameter('kind', listLessonsParameters.kind, { example: 'strategy' }),
    optionalParameter('state', listLessonsParameters.state, { example: 'active' }),
    optionalParameter('agent_type', listLessonsParameters.agent_type, { example: 'shell' }),
    optionalParameter('sort', listLessonsParameters.sort, { example: 'relevance' }),
    optionalParameter('limit', listLessonsParameters.limit, { example: 20 }),
    optionalParameter('cursor', listLessonsParameters.cursor, {}),
  ],
  answers: {
    success: [200, { description: 'A page of lessons', content: jsonContent(lessonListSchema, examples.page) }],
    refused: [401, 'tenant_forbidden', 429, 503],
    invalid: {
      missing: missingTenant,
      out_of_range: tooGreat(['query', 'limit'], listLessonsParameters.limit.maximum),
      no_query: noQuery,
      only_relevance: onlyRelevance,
      cursor: noSuchCursor,
    },
    failed: failure('lessons_failed', 'The lessons could not be listed'),
  },
};

export const getLesson: Described = {
  tags: ['Lessons'],
  summary: 'Get a lesson with its evidence',
  description: 'The runs behind it, the runs that speak against it, and what people decided about it.',
  parameters: [lessonId, tenant],
  answers: {
    success: [200, { description: 'The lesson', content: jsonContent(lessonDetailsSchema, examples.details) }],
    refused: [401, 'tenant_forbidden', 'lesson_not_found', 429, 503],
    invalid: { missing: missingTenant },
    failed: failure('lessons_failed', 'The lesson could not be read'),
  },
};

export const changeLesson: Described = {
  tags: ['Lessons'],
  summary: 'Mute, pin, approve, reject or edit a lesson',
  description: `A decision holds for whatever teaches the same later. Secrets in texts are redacted. ${smallBodies}`,
  parameters: [lessonId, tenant],
  requestBody: requestBody(lessonChangeSchema, examples.change),
  answers: {
    success: [200, { description: 'The lesson as it is now', content: jsonContent(lessonSchema, examples.lesson) }],
    refused: [401, 'tenant_forbidden', 'lesson_not_found', 408, 413, 415, 429, 503],
    invalid: {
      missing: missingTenant,
      nothing_to_change: nothingToChange,
      too_long: tooLong(['body', 'text'], lessonChangeSchema.properties.text.maxLength),
    },
    failed: failure('lessons_failed', 'The lesson could not be changed'),
  },
};

export const deleteLesson: Described = {
  tags: ['Lessons'],
  summary: 'Delete a lesson with its evidence',
  description:
    'As final as `delete_by_intent`: uploads that were accepted until now do not bring it back. What is uploaded later may ' +
    'teach it again; mute a lesson that should never be told.',
  parameters: [lessonId, tenant],
  answers: {
    success: [
      200,
      { description: 'How many insights were deleted', content: jsonContent(eraseResultSchema, examples.deleted) },
    ],
    refused: [401, 'tenant_forbidden', 'lesson_not_found', 'too_many_deletions', 429, 503],
    invalid: { missing: missingTenant },
    failed: failure('delete_failed', 'The deletion did not finish; some insights may have been deleted'),
  },
};

const written = { parameters: { id: '$response.body#/id', tenant_id: '$request.body#/tenant_id' } };

export const writeLesson: Described = {
  tags: ['Lessons'],
  summary: 'Write a lesson',
  description: `It is told like any other, as \`[from your team]\`. Secrets in it are redacted. ${smallBodies}`,
  requestBody: requestBody(newLessonSchema, examples.newLesson),
  answers: {
    success: [
      201,
      {
        description: 'The lesson',
        content: jsonContent(lessonSchema, examples.written),
        ...links({ getLesson: written, changeLesson: written, deleteLesson: written }),
      },
    ],
    refused: [401, 'tenant_forbidden', 408, 'too_many_collections', 413, 415, 429, 503],
    invalid: { missing: problem('missing', ['body', 'applies_when']) },
    failed: failure('lessons_failed', 'The lesson could not be stored'),
  },
};

export const giveFeedback: Described = {
  tags: ['Knowledge'],
  summary: 'After a task: tell how it ended, without uploading the run',
  description:
    'Counts for the recommendations of the answer, once: whichever comes first of this and an upload that cites the answer. ' +
    smallBodies,
  requestBody: requestBody(feedbackSchema, examples.feedback),
  answers: {
    success: [
      200,
      { description: 'Whether it counts', content: jsonContent(feedbackResultSchema, examples.feedbackResult) },
    ],
    refused: [401, 'tenant_forbidden', 'answer_not_found', 408, 413, 415, 429, 503],
    invalid: {
      missing: problem('missing', ['body', 'success']),
      bool_parsing: problem('bool_parsing', ['body', 'success']),
    },
    failed: failure('feedback_failed', 'The outcome could not be stored'),
  },
};

export const changeCollection: Described = {
  tags: ['Lessons'],
  summary: 'Change the settings of a collection',
  parameters: [tenant],
  requestBody: requestBody(collectionChangeSchema, examples.collectionChange),
  answers: {
    success: [
      200,
      {
        description: 'The settings as they are now',
        content: jsonContent(collectionSettingsSchema, examples.collectionSettings),
      },
    ],
    refused: [401, 'tenant_forbidden', 408, 'too_many_collections', 413, 415, 429, 503],
    invalid: {
      missing: missingTenant,
      nothing_to_set: nothingToSet,
      out_of_range: tooGreat(['body', 'holdout_share'], 1),
    },
    failed: failure('settings_failed', 'The settings could not be changed'),
  },
};
