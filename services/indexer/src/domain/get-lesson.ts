import type { GetLessonRequest, GetLessonResult, LessonEvidence } from '@whetstone/contracts';
import type { CallContext } from '@whetstone/platform';

import { checkCancelled } from './check-cancelled.js';
import { byTime, decisionOf } from './decisions.js';
import { groupBy } from './group-by.js';
import { isLessonId, lessonIdOf } from './insight-names.js';
import { lessonsFrom } from './lesson-parts.js';
import type { Row, VectorStore } from './ports.js';
import { type InsightBody, readInsightBody, readRunBody } from './row-bodies.js';
import { tallyOf } from './tally.js';

const maxEvidence = 50;
/** Tasks of the lesson, the latest, whose other runs are looked for. */
const comparedTasks = 3;
/** From this cosine on, two intents are the same task. */
const sameTask = 0.95;

/** An insight where it is stored; a consolidated one has its run under its name. */
interface Place {
  jobId: string;
  attempt: string;
  intent: string;
  body: InsightBody;
}

/** The lesson with the runs behind it, the runs that ended otherwise, and what people decided. */
export function createGetLesson({ store }: { store: VectorStore }) {
  return async function getLesson(
    { collectionId, lesson }: GetLessonRequest,
    { signal }: CallContext,
  ): Promise<GetLessonResult> {
    checkCancelled(signal);
    if (!isLessonId(lesson)) return { evidence: [], against: [], decisions: [] };
    const [found, insights, rows] = await Promise.all([
      store.lessons(collectionId, { ids: [lesson] }),
      store.insightsOf(collectionId, lesson, maxEvidence),
      store.rowsOfJobs(collectionId, [lesson]),
    ]);
    const decisions = [...rows].sort(byTime).flatMap((row) => decisionOf(row) ?? []);
    const places = insights.map((row) => ({ ...row, body: readInsightBody(row.body) }));
    const others = await opposites(collectionId, insights, places);
    const [evidence, against] = await Promise.all([runsOf(collectionId, places), runsOf(collectionId, others)]);
    const [shown] = lessonsFrom(found);
    return { ...(shown && { lesson: shown }), evidence, against, decisions: decisions.reverse() };
  };

  /** Insights of other lessons at the same tasks, from runs that ended otherwise. */
  async function opposites(collectionId: string, insights: readonly Row[], places: readonly Place[]): Promise<Place[]> {
    const lesson = lessonIdOf(insights[0]?.name ?? '');
    const outcomes = new Set(places.map(({ body }) => body.run.outcome));
    const tasks = [...new Map(insights.map((row) => [row.intent, row])).values()].slice(0, comparedTasks);
    const near = await Promise.all(
      tasks.map(({ vector }) => store.search(collectionId, { vector, text: '', limit: maxEvidence })),
    );
    const found = near
      .flatMap(({ byMeaning }) => byMeaning.filter(({ similarity }) => similarity >= sameTask))
      .map(({ jobId, attempt, intent, body }) => ({ jobId, attempt, intent, body: readInsightBody(body) }));
    return found.filter(({ body: { name, run } }) => {
      return lessonIdOf(name) !== lesson && run.outcome !== 'unknown' && !outcomes.has(run.outcome);
    });
  }

  /** The latest first; one for each run that is stored. */
  async function runsOf(collectionId: string, places: readonly Place[]): Promise<LessonEvidence[]> {
    const jobs = [...new Set(places.map(({ jobId }) => jobId))];
    if (jobs.length === 0) return [];
    const rows = await store.rowsOfJobs(collectionId, jobs);
    const runs = groupBy(
      rows.filter(({ type }) => type === 'run'),
      ({ jobId }) => jobId,
    );
    const evidence = places.flatMap(({ jobId, attempt, intent: task, body }): LessonEvidence[] => {
      const row = runs.get(jobId)?.find((run) => run.attempt === attempt);
      if (!row) return [];
      const { origin } = body;
      return [
        {
          jobId: origin.jobId,
          task,
          acceptedAt: origin.acceptedAt,
          run: readRunBody(row.body).run,
          runs: tallyOf(body).runs,
        },
      ];
    });
    const distinct = [...new Map(evidence.map((one) => [one.jobId, one])).values()];
    return distinct.sort((a, b) => b.acceptedAt - a.acceptedAt).slice(0, maxEvidence);
  }
}

export type GetLesson = ReturnType<typeof createGetLesson>;
