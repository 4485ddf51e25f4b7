import type { Lesson, ListLessonsRequest, ListLessonsResult } from '@whetstone/contracts';
import { type CallContext, isTimeAndId, readCursor, writeCursor } from '@whetstone/platform';

import { checkCancelled } from './check-cancelled.js';
import { lessonIdOf } from './insight-names.js';
import { lessonsFrom } from './lesson-parts.js';
import type { LessonPage, VectorStore } from './ports.js';
import type { Search } from './search.js';

interface ListLessonsDeps {
  store: VectorStore;
  search: Search;
}

const maxLessons = 200;
/** Insights that a query finds, for all its pages together. Where lessons are filtered, few of them are wanted. */
const searchedInsights = { filtered: 300, all: 60 };

/** Pages of lessons: by what they are about, or in the order of a count or a time. */
export function createListLessons({ store, search }: ListLessonsDeps) {
  return async function listLessons(request: ListLessonsRequest, call: CallContext): Promise<ListLessonsResult> {
    checkCancelled(call.signal);
    const limit = Math.max(1, Math.min(request.limit, maxLessons));
    return request.query === undefined ? inOrder(request, limit) : byRelevance(request, request.query, limit, call);
  };

  async function inOrder(request: ListLessonsRequest, limit: number): Promise<ListLessonsResult> {
    const { collectionId, kind, state, agentType } = request;
    const sort = request.sort === 'relevance' ? 'recent' : request.sort;
    const after = request.cursor === undefined ? undefined : placeOf(request.cursor, sort);
    const page: LessonPage = {
      sort,
      // One more tells whether there is another page.
      limit: limit + 1,
      ...(kind && { kind }),
      ...(state && { state }),
      ...(agentType !== undefined && { agentType }),
      ...(after && { after: { value: after.value, id: after.id } }),
    };
    const lessons = lessonsFrom(await store.lessons(collectionId, page));
    const last = lessons.length > limit ? lessons[limit - 1] : undefined;
    const shown = lessons.slice(0, limit);
    return last ? { lessons: shown, cursor: writeCursor([sort, sortedBy(last, sort), last.id]) } : { lessons };
  }

  async function byRelevance(
    { collectionId, kind, state, agentType, cursor }: ListLessonsRequest,
    text: string,
    limit: number,
    call: CallContext,
  ): Promise<ListLessonsResult> {
    const start = cursor === undefined ? 0 : placeOf(cursor, 'relevance').value;
    const end = start + limit;
    const isFiltered = Boolean(kind ?? state ?? agentType);
    const asked = {
      collectionId,
      text,
      limit: searchedInsights[isFiltered ? 'filtered' : 'all'],
      ...(agentType !== undefined && { agentType }),
    };
    const { hits } = await search(asked, call);
    const all = [...new Set(hits.flatMap(({ name }) => (name === '' ? [] : lessonIdOf(name))))];
    const ids = isFiltered ? all : all.slice(start, end);
    const found = new Map(lessonsFrom(await store.lessons(collectionId, { ids })).map((lesson) => [lesson.id, lesson]));
    const isWanted = (lesson: Lesson) =>
      (!kind || lesson.kind === kind) &&
      (!state || lesson.state === state) &&
      (agentType === undefined || lesson.agentType === agentType);
    const lessons = ids.flatMap((id) => found.get(id) ?? []).filter(isWanted);
    const shown = isFiltered ? lessons.slice(start, end) : lessons;
    const isLast = isFiltered ? end >= lessons.length : end >= all.length;
    return isLast ? { lessons: shown } : { lessons: shown, cursor: writeCursor(['relevance', end, '']) };
  }
}

export type ListLessons = ReturnType<typeof createListLessons>;

interface Place {
  /** What the last lesson is sorted by; for relevance, how many there were. */
  value: number;
  id: string;
}

function sortedBy({ lastSeen, support, harmed }: Lesson, sort: LessonPage['sort']): number {
  return { recent: lastSeen, support, harm: harmed }[sort];
}

function placeOf(cursor: string, expected: ListLessonsRequest['sort']): Place {
  const [, value, id] = readCursor(
    cursor,
    (parts): parts is [string, number, string] => parts[0] === expected && isTimeAndId(parts.slice(1)),
  );
  return { value, id };
}
