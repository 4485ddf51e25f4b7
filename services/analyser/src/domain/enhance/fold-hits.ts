import type { SearchHit, Votes } from '@whetstone/contracts';

import { contentWords, jaccard } from './content-words.js';
import type { Contrast } from './contrast.js';
import type { DifferentEnds } from './different-ends.js';
import type { RelevantHit } from './relevance.js';
import { votesOn, weighVotes } from './vote-weight.js';

/** Insights that say the same, told once. */
export interface Lesson {
  /** The one that is shown: of the task that is most alike. */
  shown: SearchHit;
  relevance: number;
  /** The task of the one that is shown is the one asked about. */
  sameTask: boolean;
  /** The example that is shown destroys something, and the task does not ask for that. */
  uncalledFor: boolean;
  /** Distinct runs that agree; the same body uploaded twice is one run. */
  support: number;
  sourceJobIds: string[];
  /** Of all of them together. */
  votes: Votes;
  /** What these add to its score. */
  voteShift: number;
  words: ReadonlySet<string>;
  /** What sets the runs at its task apart that ended differently. */
  contrast?: Contrast;
  /** How runs at requests like the task ended that succeeded, where that differs. */
  ends?: DifferentEnds;
}

const sameLesson = 0.7;

/**
 * Folds near-duplicates. The order of the hits does not matter: the most relevant of each lesson is shown. What outcomes
 * plainly speak against is left out.
 */
export function foldHits(hits: readonly RelevantHit[]): Lesson[] {
  const groups: { members: RelevantHit[]; words: ReadonlySet<string> }[] = [];
  for (const relevant of [...hits].sort(mostRelevantFirst)) {
    const words = wordsOf(relevant.hit);
    const group = groups.find(
      ({ members, words: known }) => members[0] && isSame(members[0].hit, relevant.hit, known, words),
    );
    if (group) group.members.push(relevant);
    else groups.push({ members: [relevant], words: words() });
  }
  const folded = groups.flatMap(({ members, words }) => {
    const first = mostUsable(members);
    if (!first) return [];
    const origins = members.map(({ hit }) => hit.origin);
    return [
      {
        shown: first.hit,
        relevance: first.relevance,
        sameTask: first.sameTask,
        uncalledFor: first.uncalledFor,
        support: new Set(origins.map(({ bodyDigest }) => bodyDigest)).size,
        sourceJobIds: [...new Set(origins.map(({ jobId }) => jobId))],
        votes: votesOn(members.map(({ hit }) => hit)),
        words,
      },
    ];
  });
  return weighVotes(folded);
}

/** The words of an insight, taken apart when they are first asked for: most of what is the same has the same title. */
function wordsOf({ insight }: SearchHit): () => ReadonlySet<string> {
  let words: ReadonlySet<string> | undefined;
  return () => {
    words ??= contentWords(`${insight.title}\n${insight.content}\n${insight.example ?? ''}`);
    return words;
  };
}

function isSame(a: SearchHit, b: SearchHit, aWords: ReadonlySet<string>, bWords: () => ReadonlySet<string>): boolean {
  if (a.insight.kind !== b.insight.kind) return false;
  if (a.insight.title === b.insight.title) return true;
  // Ways past the same error are one lesson on that error.
  if (
    a.insight.kind === 'recovery' &&
    a.insight.appliesWhen !== undefined &&
    a.insight.appliesWhen === b.insight.appliesWhen
  )
    return true;
  const example = a.insight.example;
  if (example !== undefined && example === b.insight.example) return true;
  return jaccard(aWords, bWords()) >= sameLesson;
}

/** Of those of the very task of the first: what names most of what is asked for, what most runs used, what is shortest. */
function mostUsable(members: readonly RelevantHit[]): RelevantHit | undefined {
  const [nearest] = members;
  if (!nearest) return undefined;
  const near = members.filter(({ hit }) => hit.intent === nearest.hit.intent);
  const exampleOf = ({ hit }: RelevantHit) => hit.insight.example ?? '';
  const users = (example: string) => near.filter((member) => exampleOf(member) === example).length;
  return near.reduce((best, next) => {
    const [kept, tried] = [exampleOf(best), exampleOf(next)];
    const gain = next.named - best.named || users(tried) - users(kept) || kept.length - tried.length;
    return gain > 0 ? next : best;
  });
}

function mostRelevantFirst(a: RelevantHit, b: RelevantHit): number {
  return (
    b.relevance - a.relevance ||
    b.hit.insight.confidence - a.hit.insight.confidence ||
    b.hit.score - a.hit.score ||
    (a.hit.id < b.hit.id ? -1 : 1)
  );
}
