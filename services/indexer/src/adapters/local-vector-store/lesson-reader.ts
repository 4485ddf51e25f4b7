import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';

import { settingsJob } from '../../domain/decisions.js';
import type { FoundLessons, LessonPage, LessonQuery } from '../../domain/ports.js';
import { type PackedContents, unpackContents, unpackDecided } from './packed-insights.js';
import type { CollectionRecord, RowReader } from './row-reader.js';

/** Lessons as sent between threads. */
export interface PackedLessons extends PackedContents {
  /** One line per lesson: id, support, helped, harmed, first seen, last seen, number of the latest insight. */
  lessons: string;
  /** As `unpackDecided` reads them. */
  decided: string;
}

const columns = { recent: 'last_seen', support: 'support', harm: 'harmed' } as const;
const highest = { value: Number.MAX_SAFE_INTEGER, id: '~' };

/** Reads lessons and what was decided about them. */
export class LessonReader {
  readonly #reader: RowReader;
  readonly #anyDecided: StatementSyncInstance;
  readonly #decided: StatementSyncInstance;
  readonly #decidedOn: StatementSyncInstance;
  readonly #byIds: StatementSyncInstance;
  readonly #pages: Record<LessonPage['sort'], { all: StatementSyncInstance; decided: StatementSyncInstance }>;

  constructor(db: DatabaseSyncInstance, reader: RowReader) {
    this.#reader = reader;
    this.#anyDecided = db.prepare('SELECT 1 FROM verdicts WHERE collection = ? LIMIT 1');
    const decided = (lessons: string) => `
      SELECT group_concat(verdicts.lesson || ' ' || verdict, char(10)) AS decided
      FROM (SELECT '${settingsJob}' AS lesson UNION ${lessons}) AS wanted
      CROSS JOIN verdicts ON collection = ?1 AND verdicts.lesson = wanted.lesson`;
    this.#decided = db.prepare(
      decided('SELECT substr(name, 1, 16) FROM json_each(?2) AS found CROSS JOIN names ON seq = found.value'),
    );
    this.#decidedOn = db.prepare(decided('SELECT value FROM json_each(?2)'));
    const fields = ['lesson', 'support', 'helped', 'harmed', 'first_seen', 'last_seen', '(latest & 4294967295)'];
    const packed = (source: string) =>
      db.prepare(
        `SELECT group_concat(line, char(10)) AS lessons FROM (SELECT ${fields.join(" || ' ' || ")} AS line ${source})`,
      );
    this.#byIds = packed(
      'FROM json_each(?2) AS wanted CROSS JOIN lessons ON collection = ?1 AND lesson = wanted.value',
    );
    // The same as `stateOf`.
    const state = "CASE WHEN state <> '' THEN state WHEN by_person OR NOT ?7 THEN 'active' ELSE 'pending' END";
    const page = (sort: LessonPage['sort'], index: string, condition: string) =>
      packed(`
        FROM lessons INDEXED BY ${index}
        WHERE collection = ?1 AND (${columns[sort]}, lesson) < (?2, ?3) AND ${condition}
          AND ifnull(?4, kind) = kind AND (?5 IS NULL OR agent_type = ?5)
        ORDER BY ${columns[sort]} DESC, lesson DESC LIMIT ?8`);
    const pages = (sort: LessonPage['sort']) => ({
      all: page(sort, `lessons_by_${columns[sort]}`, `(?6 IS NULL OR ${state} = ?6)`),
      // Few lessons are decided about.
      decided: page(sort, 'lessons_by_state', "state <> '' AND state = ?6 AND ?7 = ?7"),
    });
    this.#pages = { recent: pages('recent'), support: pages('support'), harm: pages('harm') };
  }

  lessons(collectionId: string, query: LessonQuery): PackedLessons {
    const collection = this.#reader.collection(collectionId);
    if (!collection) return noLessons;
    const lessons = 'ids' in query ? this.#ofIds(collection, query.ids) : this.#page(collection, query);
    const lines = lessons === '' ? [] : lessons.split('\n').map((line) => line.split(' '));
    const ids = lines.map(([id]) => id as string);
    const numbers = lines.map((line) => Number(line[6]));
    return { lessons, decided: this.decidedOn(collection, ids), ...this.#reader.contents(collection, numbers) };
  }

  /** About the lessons of the insights with these `seq`s, and the settings. */
  decided({ no }: CollectionRecord, seqs: string): string {
    return this.#anyDecided.get(no) ? textOf(this.#decided.get(no, seqs)) : '';
  }

  decidedOn({ no }: CollectionRecord, lessons: string[]): string {
    return this.#anyDecided.get(no) ? textOf(this.#decidedOn.get(no, JSON.stringify(lessons))) : '';
  }

  #ofIds({ no }: CollectionRecord, ids: string[]): string {
    return textOf(this.#byIds.get(no, JSON.stringify([...new Set(ids)])));
  }

  #page(collection: CollectionRecord, { sort, limit, after = highest, kind, agentType, state }: LessonPage): string {
    const isDecided = state !== undefined && state !== 'active' && state !== 'pending';
    const { all, decided } = this.#pages[sort];
    const { settings } = unpackDecided(this.decidedOn(collection, []));
    const reviewed = settings.review === 'required' ? 1 : 0;
    const filters = [kind ?? null, agentType ?? null, state ?? null, reviewed] as const;
    return textOf((isDecided ? decided : all).get(collection.no, after.value, after.id, ...filters, limit));
  }
}

const noLessons: PackedLessons = { lessons: '', decided: '', lengths: null, contents: null };

function textOf(record: unknown): string {
  const [text] = Object.values(record as Record<string, string | null>);
  return text ?? '';
}

export function unpackLessons({ lessons, decided, ...packed }: PackedLessons): FoundLessons {
  const contents = unpackContents(packed);
  const lines = lessons === '' ? [] : lessons.split('\n');
  const found = lines.map((line, place) => {
    const [id = '', ...numbers] = line.split(' ');
    const [support = 0, helped = 0, harmed = 0, firstSeen = 0, lastSeen = 0] = numbers.map(Number);
    const { intent = '', body = '' } = contents[place] ?? {};
    return { id, support, helped, harmed, firstSeen, lastSeen, intent, body };
  });
  return { lessons: found, ...unpackDecided(decided) };
}
