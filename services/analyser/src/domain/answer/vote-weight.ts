import type { SearchHit, Votes } from '@whetstone/contracts';

export interface VotedOn {
  votes: Votes;
}

/** So many outcomes at the usual rate are taken for granted: one bad outcome does not bury a good lesson. */
const priorVotes = 8;
/** What runs usually come to where nothing is known of this kind of task. */
const usualShare = 0.5;
/** Where the task is hard, lessons are measured by their neighbours; but one that never helps is not excused by others like it. */
const leastShare = 0.25;
const voteWeight = 0.3;
/** Enough to reorder lessons that are about as relevant, not to bring one from another task. */
const mostShift = 0.15;
/** A lesson with less than this part of the usual share of successes is no longer told. */
const harmfulPart = 0.6;

/** Of all insights that are told as one lesson. */
export function votesOn(hits: readonly SearchHit[]): Votes {
  return sum(hits.flatMap(({ votes }) => votes ?? []));
}

/**
 * What outcomes say of each lesson, to be added to its score; those that clearly harm are left out. A lesson is compared with
 * what the others on such tasks come to: an outcome tells as much of the task as of the advice, and where most runs fail,
 * failing is no sign against a lesson.
 */
export function weighVotes<Lesson extends VotedOn>(lessons: readonly Lesson[]): (Lesson & { voteShift: number })[] {
  const all = sum(lessons.map(({ votes }) => votes));
  return lessons.flatMap((lesson) => {
    const { votes } = lesson;
    const usual = usualOf({ helped: all.helped - votes.helped, harmed: all.harmed - votes.harmed });
    const share = posteriorMean(votes, usual);
    const voteShift = Math.min(mostShift, voteWeight * (share - usual));
    return share < harmfulPart * usual ? [] : [{ ...lesson, voteShift }];
  });
}

function usualOf(votesOnOthers: Votes): number {
  return Math.min(usualShare, Math.max(leastShare, posteriorMean(votesOnOthers, usualShare)));
}

/** Of the chance that a run succeeds which is shown the lesson: a beta distribution, begun with the votes that are granted. */
function posteriorMean({ helped, harmed }: Votes, prior: number): number {
  return (helped + priorVotes * prior) / (helped + harmed + priorVotes);
}

function sum(votes: readonly Votes[]): Votes {
  return votes.reduce(
    (total, { helped, harmed }) => ({ helped: total.helped + helped, harmed: total.harmed + harmed }),
    { helped: 0, harmed: 0 },
  );
}
