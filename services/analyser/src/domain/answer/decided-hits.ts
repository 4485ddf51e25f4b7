import type { Insight, LessonWording, SearchHit, SearchResult } from '@whetstone/contracts';
import { exampleActions } from '@whetstone/reading';

import { lessonNameOf } from './hit-names.js';

/** A hit with what people decided about its lesson. */
export interface DecidedHit extends SearchHit {
  /** `muted` and `rejected` are never told, `pinned` is told first. `pending` waits for review. Absent: nothing of this. */
  state?: 'muted' | 'rejected' | 'pinned' | 'pending';
  /** A person has edited the text. */
  isEdited?: boolean;
}

/** The hits with their verdicts, and with edited wordings in place of what was learnt. */
export function decidedHits({ hits, verdicts, settings }: SearchResult): DecidedHit[] {
  const mustBeReviewed = settings.review === 'required';
  if (verdicts.length === 0 && !mustBeReviewed) return hits;
  const verdictOn = new Map(verdicts.map((verdict) => [verdict.lesson, verdict]));
  return hits.map((hit) => {
    const { state: decided, wording } = verdictOn.get(lessonNameOf(hit)) ?? {};
    const isReviewed = decided === 'approved' || isByPerson(hit.insight);
    const state =
      decided === 'muted' || decided === 'rejected' || decided === 'pinned'
        ? decided
        : mustBeReviewed && !isReviewed && ('pending' as const);
    return {
      ...hit,
      ...(state && { state }),
      ...(wording && { insight: reworded(hit.insight, wording), isEdited: wording.text !== undefined }),
    };
  });
}

function reworded(insight: Insight, { title, text, example }: LessonWording): Insight {
  return {
    ...insight,
    ...(title === undefined ? {} : { title }),
    ...(text === undefined ? {} : { content: text }),
    ...(example === undefined ? {} : { example, ...exampleActions(example) }),
  };
}

/** Written by a person, not learnt from a run. */
export function isByPerson({ rule }: Pick<Insight, 'rule'>): boolean {
  return rule === 'person';
}

/** The text is a person's, so it is told as it stands. */
export function isInPersonsWords({ insight, isEdited }: DecidedHit): boolean {
  return isEdited === true || isByPerson(insight);
}

export function isSilenced({ state }: { state?: DecidedHit['state'] | undefined }): boolean {
  return state === 'muted' || state === 'rejected';
}
