import {
  noSuchCursor,
  type OperationId,
  type Problem,
  readListLessonsQuery,
  readTenantQuery,
} from '@whetstone/contracts';
import { isAppError } from '@whetstone/platform';
import type { Request as HttpRequest } from 'express';
import type { GiveFeedback } from '../domain/give-feedback.js';
import type { ManageLessons, Request } from '../domain/manage-lessons.js';
import type { Caller } from '../domain/resolve-collection.js';
import type { ReadBodies } from './bodies/read-bodies.js';
import type { Exchange } from './exchange.js';
import { callOf, type Operation } from './operation.js';
import { pathParameter, queryOf } from './paths.js';
import { invalid } from './refusals.js';

interface LessonOperationsOptions {
  bodies: ReadBodies;
  manageLessons: ManageLessons;
  giveFeedback: GiveFeedback;
  timeoutMs: number;
  deleteTimeoutMs: number;
}

export function lessonOperations(options: LessonOperationsOptions): Operation[] {
  const { bodies, manageLessons, giveFeedback, timeoutMs, deleteTimeoutMs } = options;
  const failure = (message: string) => ({ error: 'lessons_failed', message }) as const;
  return [
    {
      id: 'listLessons',
      timeoutMs,
      failure: failure('The lessons could not be listed'),
      prepare(req) {
        const { problems, body: query } = readListLessonsQuery(queryOf(req.originalUrl));
        if (problems) throw invalid(problems);
        return async (context) => ({
          status: 200,
          body: await manageLessons.list(requestOf(query.tenantId, context), query).catch(refuseCursor),
        });
      },
    },
    {
      id: 'getLesson',
      timeoutMs,
      failure: failure('The lesson could not be read'),
      prepare(req) {
        const { tenantId, id } = readTarget(req, 'getLesson');
        return async (context) => ({ status: 200, body: await manageLessons.get(requestOf(tenantId, context), id) });
      },
    },
    {
      id: 'changeLesson',
      hasBody: true,
      timeoutMs,
      failure: failure('The lesson could not be changed'),
      async prepare(req, res) {
        const { problems, tenantId, id } = targetOf(req, 'changeLesson');
        const change = await bodies.small(req, res, 'lessonChange', problems);
        return async (context) => ({
          status: 200,
          body: await manageLessons.change(requestOf(tenantId, context), id, change),
        });
      },
    },
    {
      id: 'deleteLesson',
      timeoutMs: deleteTimeoutMs,
      failure: { error: 'delete_failed', message: 'The deletion did not finish; some insights may have been deleted' },
      prepare(req) {
        const { tenantId, id } = readTarget(req, 'deleteLesson');
        return async (context) => ({ status: 200, body: await manageLessons.remove(requestOf(tenantId, context), id) });
      },
    },
    {
      id: 'writeLesson',
      hasBody: true,
      timeoutMs,
      failure: failure('The lesson could not be stored'),
      async prepare(req, res) {
        const lesson = await bodies.small(req, res, 'newLesson');
        return async (context) => ({
          status: 201,
          body: await manageLessons.write(requestOf(lesson.tenant_id, context), lesson),
        });
      },
    },
    {
      id: 'changeCollection',
      hasBody: true,
      timeoutMs,
      failure: { error: 'settings_failed', message: 'The settings could not be changed' },
      async prepare(req, res) {
        const { problems, body: query } = readTenantQuery(queryOf(req.originalUrl));
        const change = await bodies.small(req, res, 'collectionChange', problems ?? []);
        return async (context) => ({
          status: 200,
          body: await manageLessons.changeCollection(requestOf(query?.tenantId ?? '', context), change),
        });
      },
    },
    {
      id: 'giveFeedback',
      hasBody: true,
      timeoutMs,
      failure: { error: 'feedback_failed', message: 'The outcome could not be stored' },
      async prepare(req, res) {
        const feedback = await bodies.small(req, res, 'feedback');
        return async ({ caller, exchange }) => ({
          status: 200,
          body: await giveFeedback(caller, feedback, exchange.arrivedAt, callOf(exchange)),
        });
      },
    },
  ];
}

export function requestOf(tenantId: string, { caller, exchange }: { caller: Caller; exchange: Exchange }): Request {
  return { caller, tenantId, arrivedAt: exchange.arrivedAt, call: callOf(exchange) };
}

/** The lesson that a request names, and what is wrong with its query. */
function targetOf(req: HttpRequest, id: OperationId): { problems: Problem[]; tenantId: string; id: string } {
  const { problems = [], body: query } = readTenantQuery(queryOf(req.originalUrl));
  return { problems, tenantId: query?.tenantId ?? '', id: pathParameter(req.path, id, 'id') };
}

function readTarget(req: HttpRequest, id: OperationId): { tenantId: string; id: string } {
  const { problems, ...target } = targetOf(req, id);
  if (problems.length > 0) throw invalid(problems);
  return target;
}

export function refuseCursor(error: unknown): never {
  throw isAppError(error, 'invalid_argument') ? invalid([noSuchCursor]) : error;
}
