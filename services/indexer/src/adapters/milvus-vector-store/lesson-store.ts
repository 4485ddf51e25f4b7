import { foldDecisions, type StoredDecision } from '../../domain/decisions.js';
import { groupBy } from '../../domain/group-by.js';
import { isInsightName, lessonIdOf } from '../../domain/insight-names.js';
import { type LessonPart, lessonPartOf, stateOf } from '../../domain/lesson-parts.js';
import type { DatedVote, FoundLesson, FoundLessons, LessonPage, LessonQuery, Row } from '../../domain/ports.js';
import { countVotes } from '../../domain/votes.js';
import { type MilvusRecord, partsOfLessons } from './queries.js';
import { datedVoteOf, lessonFields, rowFields, rowOf, storedDecisionOf } from './row-codec.js';
import type { createRowStore } from './row-store.js';

/** Milvus cannot sort: a list reads the insights, votes and decisions of its collection, at most so many. */
const maxListed = 100_000;
/** From so many rows on, what was read serves for a while. */
const remembersFrom = 2_000;
const remembersMs = 10_000;
const maxRemembered = 50;
/** Keeps expressions short. */
const lessonsPerExpression = 50;

type RowStore = ReturnType<typeof createRowStore>;

interface Part extends LessonPart {
  intent: string;
  body: string;
}

interface Read {
  parts: Part[];
  votes: DatedVote[];
  decisions: StoredDecision[];
}

/** What a list remembers of a lesson: all but its texts. */
type Listed = Omit<FoundLesson, 'intent' | 'body'> & Pick<LessonPart, 'kind' | 'agentType' | 'isByPerson'>;

interface Remembered {
  lessons: Listed[];
  decided: ReturnType<typeof foldDecisions>;
  atMs: number;
}

/** Lessons of the collections in one shard. */
export function createLessonStore(rows: RowStore, nowMs: () => number = () => performance.now()) {
  const remembered = new Map<string, Remembered>();

  async function read(collectionId: string, ids: string[] | undefined, limit: number): Promise<MilvusRecord[]> {
    const expression = (after?: string) => partsOfLessons(collectionId, ids, after);
    return rows.inOrder(collectionId, expression, { limit }, lessonFields);
  }

  async function byIds(collectionId: string, ids: readonly string[]): Promise<FoundLessons> {
    const records: MilvusRecord[] = [];
    const wanted = [...new Set(ids)];
    // Even without lessons, the settings are read.
    for (let at = 0; at === 0 || at < wanted.length; at += lessonsPerExpression) {
      const some = wanted.slice(at, at + lessonsPerExpression);
      records.push(...(await read(collectionId, some, Number.POSITIVE_INFINITY)));
    }
    const found = sorted(collectionId, records);
    return { lessons: sumUp(found).map(withTexts), ...foldDecisions(found.decisions) };
  }

  async function all(collectionId: string): Promise<Remembered> {
    const known = remembered.get(collectionId);
    if (known && nowMs() - known.atMs < remembersMs) return known;
    remembered.delete(collectionId);
    const records = await read(collectionId, undefined, maxListed);
    const found = sorted(collectionId, records);
    const lessons = sumUp(found).map(({ latest: { kind, agentType, isByPerson }, ...sums }): Listed => {
      return { ...sums, kind, isByPerson, ...(agentType !== undefined && { agentType }) };
    });
    const whole = { lessons, decided: foldDecisions(found.decisions), atMs: nowMs() };
    if (records.length >= remembersFrom) {
      for (const oldest of [...remembered.keys()].slice(0, remembered.size - maxRemembered + 1))
        remembered.delete(oldest);
      remembered.set(collectionId, whole);
    }
    return whole;
  }

  async function page(collectionId: string, query: LessonPage): Promise<FoundLessons> {
    const { lessons, decided } = await all(collectionId);
    const ids = select(lessons, decided, query).map(({ id }) => id);
    if (ids.length === 0) return { lessons: [], ...decided, verdicts: [] };
    const found = await byIds(collectionId, ids);
    const byId = new Map(found.lessons.map((lesson) => [lesson.id, lesson]));
    return { ...found, lessons: ids.flatMap((id) => byId.get(id) ?? []) };
  }

  return {
    lessons: (collectionId: string, query: LessonQuery): Promise<FoundLessons> =>
      'ids' in query ? byIds(collectionId, query.ids) : page(collectionId, query),
    async insightsOf(collectionId: string, lesson: string, limit: number): Promise<Row[]> {
      const expression = (after?: string) => partsOfLessons(collectionId, [lesson], after);
      const records = await rows.inOrder(collectionId, expression, { limit: maxListed }, rowFields);
      const insights = records.filter(({ type }) => type === 'insight').map((record) => rowOf(collectionId, record));
      const lastSeen = new Map(insights.map((row) => [row.id, lessonPartOf(row)?.lastSeen ?? 0]));
      return insights.sort((a, b) => (lastSeen.get(b.id) ?? 0) - (lastSeen.get(a.id) ?? 0)).slice(0, limit);
    },
    /** After decisions and deletions of this process. */
    forget: (collectionId: string) => remembered.delete(collectionId),
  };
}

function sorted(collectionId: string, records: readonly MilvusRecord[]): Read {
  const of = (type: string) => records.filter((record) => record['type'] === type);
  const parts = of('insight').flatMap((record): Part[] => {
    const [name, intent, body] = [record['about'], record['intent'], record['body']].map(String) as [
      string,
      string,
      string,
    ];
    const part = lessonPartOf({ type: 'insight', name, body });
    return part ? [{ ...part, intent, body }] : [];
  });
  return {
    parts,
    votes: of('vote').map((record) => datedVoteOf(collectionId, record)),
    decisions: of('decision').map(storedDecisionOf),
  };
}

type Sums = Omit<FoundLesson, 'intent' | 'body'> & { latest: Part };

function sumUp({ parts, votes }: Read): Sums[] {
  const votesOf = groupBy(countVotes(votes), ({ about }) => {
    const name = about.slice(0, about.lastIndexOf('/'));
    return isInsightName(name) ? lessonIdOf(name) : '';
  });
  return [...groupBy(parts, ({ lesson }) => lesson)].map(([id, ofLesson]) => {
    const counts = [...ofLesson, ...(votesOf.get(id) ?? [])];
    const sum = <Item>(items: readonly Item[], pick: (item: Item) => number) =>
      items.reduce((total, item) => total + pick(item), 0);
    const digests = new Set(ofLesson.flatMap(({ digest }) => digest ?? []));
    const latest = ofLesson.reduce((best, part) => (isLater(part, best) ? part : best));
    return {
      id,
      support: sum(ofLesson, ({ runs }) => runs) + digests.size,
      helped: sum(counts, ({ helped }) => helped),
      harmed: sum(counts, ({ harmed }) => harmed),
      firstSeen: Math.min(...ofLesson.map(({ firstSeen }) => firstSeen)),
      lastSeen: latest.lastSeen,
      latest,
    };
  });
}

function isLater(a: LessonPart, b: LessonPart): boolean {
  return a.lastSeen > b.lastSeen || (a.lastSeen === b.lastSeen && a.firstSeen > b.firstSeen);
}

function withTexts({ latest: { intent, body }, ...sums }: Sums): FoundLesson {
  return { ...sums, intent, body };
}

function select(
  lessons: readonly Listed[],
  { verdicts, settings }: Remembered['decided'],
  { sort, limit, after, kind, agentType, state }: LessonPage,
): Listed[] {
  const states = new Map(verdicts.map((verdict) => [verdict.lesson, verdict.state]));
  const value = ({ lastSeen, support, harmed }: Listed) => ({ recent: lastSeen, support, harm: harmed })[sort];
  const isWanted = (lesson: Listed) =>
    (!kind || lesson.kind === kind) &&
    (agentType === undefined || lesson.agentType === agentType) &&
    (!state || stateOf(states.get(lesson.id), lesson.isByPerson, settings) === state) &&
    (!after || value(lesson) < after.value || (value(lesson) === after.value && lesson.id < after.id));
  return lessons
    .filter(isWanted)
    .sort((a, b) => value(b) - value(a) || (a.id > b.id ? -1 : 1))
    .slice(0, limit);
}
