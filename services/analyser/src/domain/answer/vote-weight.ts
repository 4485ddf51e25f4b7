import type { SearchHit, Votes } from '@whetstone/contracts';

interface VotedOn {
  votes: Votes;
}

/** Weight of the prior in votes, so that one bad outcome does not bury a good lesson. */
const priorVotes = 8;
/** Success rate assumed for an unknown kind of task. */
const defaultShare = 0.5;
/** Lower bound of the expected rate: a lesson that never helps is dropped even if the others do not help either. */
const minShare = 0.25;
const voteWeight = 0.3;
/** Enough to reorder equally relevant lessons, too little to prefer one of another task. */
const maxShift = 0.15;
/** A lesson below this fraction of the expected success rate is dropped. */
const harmfulFraction = 0.6;

/** Sum over all insights of one lesson. */
export function votesOn(hits: readonly SearchHit[]): Votes {
  return sum(hits.flatMap(({ votes }) => votes ?? []));
}

/**
 * Turns votes into a score shift and drops lessons that clearly harm. Each lesson is compared with the others for
 * similar tasks: an outcome depends on the task as much as on the advice, and where most runs fail, failing does not
 * count against a lesson.
 */
export function weighVotes<Lesson extends VotedOn>(lessons: readonly Lesson[]): (Lesson & { voteShift: number })[] {
  const all = sum(lessons.map(({ votes }) => votes));
  return lessons.flatMap((lesson) => {
    const { votes } = lesson;
    const expected = expectedShare({ helped: all.helped - votes.helped, harmed: all.harmed - votes.harmed });
    const share = posteriorMean(votes, expected);
    const voteShift = Math.min(maxShift, voteWeight * (share - expected));
    return share < harmfulFraction * expected ? [] : [{ ...lesson, voteShift }];
  });
}

function expectedShare(votesOnOthers: Votes): number {
  return Math.min(defaultShare, Math.max(minShare, posteriorMean(votesOnOthers, defaultShare)));
}

/** Mean of the beta posterior of the success rate, with the prior worth `priorVotes` votes. */
function posteriorMean({ helped, harmed }: Votes, prior: number): number {
  return (helped + priorVotes * prior) / (helped + harmed + priorVotes);
}

function sum(votes: readonly Votes[]): Votes {
  return votes.reduce(
    (total, { helped, harmed }) => ({ helped: total.helped + helped, harmed: total.harmed + harmed }),
    { helped: 0, harmed: 0 },
  );
}
