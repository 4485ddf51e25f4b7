import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';

import { foldDecisions, settingsJob } from '../../domain/decisions.js';
import { isInsightName, lessonIdOf } from '../../domain/insight-names.js';
import { lessonPartOf } from '../../domain/lesson-parts.js';
import type { Row } from '../../domain/ports.js';

/**
 * `lesson_parts` has what each insight with a name adds to its lesson, `lessons` their sums in the orders of lists, and
 * `verdicts` what counts of the decisions: one per lesson, and the settings. All of it is derived from the rows.
 */
export const lessonTables = `
CREATE TABLE IF NOT EXISTS lesson_parts (
  collection INTEGER NOT NULL,
  lesson TEXT NOT NULL,
  seq INTEGER NOT NULL,
  kind TEXT NOT NULL,
  agent_type TEXT,
  by_person INTEGER NOT NULL,
  runs INTEGER NOT NULL,
  digest TEXT,
  helped INTEGER NOT NULL,
  harmed INTEGER NOT NULL,
  first_seen INTEGER NOT NULL,
  last_seen INTEGER NOT NULL,
  PRIMARY KEY (collection, lesson, seq)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS verdicts (
  collection INTEGER NOT NULL,
  lesson TEXT NOT NULL,
  state TEXT NOT NULL,
  verdict TEXT NOT NULL,
  PRIMARY KEY (collection, lesson)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS lessons (
  collection INTEGER NOT NULL,
  lesson TEXT NOT NULL,
  state TEXT NOT NULL,
  kind TEXT NOT NULL,
  agent_type TEXT,
  by_person INTEGER NOT NULL,
  support INTEGER NOT NULL,
  helped INTEGER NOT NULL,
  harmed INTEGER NOT NULL,
  first_seen INTEGER NOT NULL,
  last_seen INTEGER NOT NULL,
  latest INTEGER NOT NULL,
  PRIMARY KEY (collection, lesson)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS lessons_by_last_seen ON lessons (collection, last_seen, lesson);
CREATE INDEX IF NOT EXISTS lessons_by_support ON lessons (collection, support, lesson);
CREATE INDEX IF NOT EXISTS lessons_by_harmed ON lessons (collection, harmed, lesson);
CREATE INDEX IF NOT EXISTS lessons_by_state ON lessons (collection, state) WHERE state <> '';
`;

interface PartRecord {
  seq: number;
  collection: number;
  name: string;
  body: Uint8Array;
}

/** Lessons and decisions that a write touches, by their collection. */
export interface Touched {
  lessons: Set<string>;
  /** Lessons, or `settingsJob`. */
  decisions: Set<string>;
}

export function nothingTouched(): Touched {
  return { lessons: new Set(), decisions: new Set() };
}

/** Keeps lessons and verdicts in step with the rows; every method must run inside a transaction. */
export class LessonWriter {
  readonly #addPart: StatementSyncInstance;
  readonly #removePart: StatementSyncInstance;
  readonly #sumUp: StatementSyncInstance;
  readonly #removeLesson: StatementSyncInstance;
  readonly #decisions: StatementSyncInstance;
  readonly #setVerdict: StatementSyncInstance;
  readonly #removeVerdict: StatementSyncInstance;

  constructor(db: DatabaseSyncInstance) {
    this.#addPart = db.prepare('INSERT OR REPLACE INTO lesson_parts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
    this.#removePart = db.prepare('DELETE FROM lesson_parts WHERE collection = ? AND lesson = ? AND seq = ?');
    const ofLesson = 'collection = ?1 AND lesson = ?2';
    // '/' follows '.' in ASCII: the range contains what starts with the lesson and a dot.
    const votes =
      "SELECT helped, min(accepted_at) FROM votes WHERE collection = ?1 AND about > ?2 || '.' AND about < ?2 || '/'";
    this.#sumUp = db.prepare(
      `INSERT OR REPLACE INTO lessons
       SELECT ?1, ?2, ifnull((SELECT state FROM verdicts WHERE ${ofLesson}), ''), kind, agent_type, by_person,
         sums.support, sums.helped + votes.helped, sums.harmed + votes.votes - votes.helped,
         sums.first_seen, latest.last_seen, latest.seq
       FROM lesson_parts AS latest,
         (SELECT sum(runs) + count(DISTINCT digest) AS support, sum(helped) AS helped, sum(harmed) AS harmed,
            min(first_seen) AS first_seen FROM lesson_parts WHERE ${ofLesson}) AS sums,
         (SELECT ifnull(sum(helped), 0) AS helped, count(*) AS votes FROM (${votes} GROUP BY about, token)) AS votes
       WHERE latest.collection = ?1 AND latest.lesson = ?2 AND latest.seq =
         (SELECT seq FROM lesson_parts WHERE ${ofLesson} ORDER BY last_seen DESC, first_seen DESC LIMIT 1)`,
    );
    this.#removeLesson = db.prepare(`DELETE FROM lessons WHERE ${ofLesson}`);
    this.#decisions = db.prepare(
      `SELECT key, body FROM rows JOIN contents USING (seq)
       WHERE collection = ?1 AND key > ?2 || '/' AND key < ?2 || '0' AND type = 'decision'`,
    );
    this.#setVerdict = db.prepare('INSERT OR REPLACE INTO verdicts VALUES (?, ?, ?, ?)');
    this.#removeVerdict = db.prepare(`DELETE FROM verdicts WHERE ${ofLesson}`);
  }

  add(touched: Touched, collectionNo: number, seq: number, row: Pick<Row, 'type' | 'name' | 'body' | 'jobId'>): void {
    if (row.type === 'decision') touched.decisions.add(row.jobId);
    const part = lessonPartOf(row);
    if (!part) return;
    const {
      lesson,
      kind,
      agentType = null,
      isByPerson,
      runs,
      digest = null,
      helped,
      harmed,
      firstSeen,
      lastSeen,
    } = part;
    const facts = [kind, agentType, isByPerson ? 1 : 0, runs, digest, helped, harmed, firstSeen, lastSeen] as const;
    this.#addPart.run(collectionNo, lesson, seq, ...facts);
    touched.lessons.add(lesson);
  }

  /** Votes of an earlier version, which name no lesson, count in answers only. */
  touchVoted(touched: Touched, about: string): void {
    const name = about.slice(0, about.lastIndexOf('/'));
    if (isInsightName(name)) touched.lessons.add(lessonIdOf(name));
  }

  remove(touched: Touched, collectionNo: number, seq: number, name: string): void {
    const lesson = lessonIdOf(name);
    this.#removePart.run(collectionNo, lesson, seq);
    touched.lessons.add(lesson);
  }

  /** Brings what was touched up to date. */
  finish(collectionNo: number, { lessons, decisions }: Touched): void {
    for (const jobId of decisions) {
      this.#decide(collectionNo, jobId);
      lessons.add(jobId);
    }
    for (const lesson of lessons) {
      if (this.#sumUp.run(collectionNo, lesson).changes === 0) this.#removeLesson.run(collectionNo, lesson);
    }
  }

  #decide(collectionNo: number, jobId: string): void {
    const records = this.#decisions.all(collectionNo, jobId) as { key: string; body: Uint8Array }[];
    const rows = records.map(({ key, body }) => ({
      jobId,
      attempt: key.split('/')[1] as string,
      body: Buffer.from(body).toString(),
    }));
    const { verdicts, settings } = foldDecisions(rows);
    const counts = jobId === settingsJob ? settings : verdicts[0];
    if (rows.length === 0 || !counts) this.#removeVerdict.run(collectionNo, jobId);
    else this.#setVerdict.run(collectionNo, jobId, verdicts[0]?.state ?? '', JSON.stringify(counts));
  }
}

const batchRows = 1_000;

/**
 * Fills the tables of a file that an earlier version wrote to. In others nothing is missing, which is found out without
 * reading their contents.
 */
export function fillLessons(db: DatabaseSyncInstance): void {
  const part =
    'lesson_parts.collection = names.collection AND lesson = substr(name, 1, 16) AND lesson_parts.seq = names.seq';
  const missing = `names WHERE seq > ? AND NOT EXISTS (SELECT 1 FROM lesson_parts WHERE ${part}) ORDER BY seq`;
  const batch = db.prepare(
    `SELECT seq, collection, name, body FROM (SELECT * FROM ${missing} LIMIT ${batchRows}) JOIN contents USING (seq) ORDER BY seq`,
  );
  const writer = new LessonWriter(db);
  const touched = new Map<number, Touched>();
  const of = (no: number) => {
    const known = touched.get(no) ?? nothingTouched();
    touched.set(no, known);
    return known;
  };
  db.exec('BEGIN IMMEDIATE');
  try {
    // Of rows that are gone, or whose number another row has now.
    const gone = `NOT EXISTS (SELECT 1 FROM names WHERE ${part}) RETURNING collection, lesson`;
    const removed = db.prepare(`DELETE FROM lesson_parts WHERE ${gone}`).all() as {
      collection: number;
      lesson: string;
    }[];
    for (const { collection, lesson } of removed) of(collection).lessons.add(lesson);
    const decided = db.prepare('SELECT collection, lesson FROM verdicts').all() as {
      collection: number;
      lesson: string;
    }[];
    for (const { collection, lesson } of decided) of(collection).decisions.add(lesson);
    for (let last = 0, size = batchRows; size === batchRows; ) {
      const records = batch.all(last) as unknown as PartRecord[];
      for (const { seq, collection, name, body } of records) {
        const row = { type: 'insight' as const, name, jobId: '', body: Buffer.from(body).toString() };
        writer.add(of(collection), collection, seq, row);
      }
      size = records.length;
      last = records.at(-1)?.seq ?? last;
    }
    for (const [no, ofCollection] of touched) writer.finish(no, ofCollection);
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
