import type { GetLessonRequest, GetLessonResult, LessonEvidence, VotesOfDay } from '@whetstone/contracts';
import type { CallContext } from '@whetstone/platform';

import { checkCancelled } from './check-cancelled.js';
import { byTime, decisionOf } from './decisions.js';
import { groupBy } from './group-by.js';
import { isLessonId, lessonIdOf } from './insight-names.js';
import { lessonsFrom } from './lesson-parts.js';
import type { DatedVote, Row, VectorStore } from './ports.js';
import { type InsightBody, readInsightBody, readRunBody } from './row-bodies.js';
import { datedOutcomes, dayOf, hasVote, latestNotes, tallyOf } from './tally.js';
import { countedVotes, notesOf, voteNamesOf } from './votes.js';

const maxEvidence = 50;
const maxVotes = 4_096;
const maxDays = 90;
const maxNotes = 20;
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
    if (!isLessonId(lesson)) return { evidence: [], against: [], decisions: [], votes: [], notes: [] };
    const [found, insights, rows] = await Promise.all([
      store.lessons(collectionId, { ids: [lesson] }),
      store.insightsOf(collectionId, lesson, maxEvidence),
      store.rowsOfJobs(collectionId, [lesson]),
    ]);
    const decisions = [...rows].sort(byTime).flatMap((row) => decisionOf(row) ?? []);
    const places = insights.map((row) => ({ ...row, body: readInsightBody(row.body) }));
    const others = await opposites(collectionId, insights, places);
    const [evidence, against, outcomes] = await Promise.all([
      runsOf(collectionId, places),
      runsOf(collectionId, others),
      outcomesOf(collectionId, insights, places),
    ]);
    const [shown] = lessonsFrom(found);
    return { ...(shown && { lesson: shown }), evidence, against, decisions: decisions.reverse(), ...outcomes };
  };

  /** What became of runs that were told the insights: votes that tallies contain, and those that are rows still. */
  async function outcomesOf(
    collectionId: string,
    insights: readonly Row[],
    places: readonly Place[],
  ): Promise<Pick<GetLessonResult, 'votes' | 'notes'>> {
    const tallies = places.map(({ body }) => tallyOf(body));
    const tallied = groupBy(
      insights.flatMap((row, at) => voteNamesOf(row).map((about) => ({ about, tally: tallies[at] }))),
      ({ about }) => about,
    );
    const isTallied = ({ about, tokenDigest }: DatedVote) =>
      tallied.get(about)?.some(({ tally }) => tally && hasVote(tally, tokenDigest));
    const votes = await store.votesOn(collectionId, [...tallied.keys()], maxVotes);
    const cast = countedVotes(votes).filter((vote) => !isTallied(vote));
    const noted = await notesOf(store, collectionId, [cast]);
    const days = new Map<number, VotesOfDay>();
    for (const { day, helped } of [
      ...tallies.flatMap(datedOutcomes),
      ...cast.map(({ acceptedAt, helped }) => ({ day: dayOf(acceptedAt), helped })),
    ]) {
      const count = days.get(day) ?? { day, helped: 0, harmed: 0 };
      count[helped ? 'helped' : 'harmed']++;
      days.set(day, count);
    }
    const notes = latestNotes(
      [
        ...tallies.flatMap(({ votes }) => votes?.notes ?? []),
        ...cast.flatMap(({ id, acceptedAt: givenAt, helped: success }) => {
          const note = noted.get(id);
          return note === undefined ? [] : [{ givenAt, success, note }];
        }),
      ],
      maxNotes,
    );
    return {
      votes: [...days.values()].sort((a, b) => b.day - a.day).slice(0, maxDays),
      notes: notes.reverse(),
    };
  }

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
