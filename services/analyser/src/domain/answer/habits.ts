import type { EnhanceRequest } from '@whetstone/contracts';
import type { CallContext } from '@whetstone/platform';
import { formatAdvice } from '@whetstone/reading';

import type { KnowledgeBase } from '../ports.js';
import type { Chosen } from './choose-lessons.js';
import { type DecidedHit, decidedHits, isInPersonsWords, isSilenced } from './decided-hits.js';
import type { Explanation, Reason } from './explanation.js';
import { type Lesson, lessonOf } from './fold-lessons.js';
import { taskNameOf } from './hit-names.js';
import type { JudgedHit } from './judge-hits.js';
import { weighVotes } from './vote-weight.js';

interface HabitsDeps {
  knowledge: Pick<KnowledgeBase, 'search'>;
  monotonicMs?: () => number;
}

const searchLimit = 64;
/** Fewer runs, or runs at one task only, do not make a habit. */
const minimum = { runs: 3, tasks: 2 };
const emptyForMs = 30_000;
const maxRemembered = 10_000;

/**
 * Finds a format habit, such as wrapping commands in code fences. Format does not depend on the task, so a search by
 * task would rarely find it and never with its full support; this searches by the advice text instead. Most collections
 * have none, and an empty result is remembered for a while.
 */
export function createFindHabit({ knowledge, monotonicMs = () => performance.now() }: HabitsDeps) {
  const emptyUntil = new Map<string, number>();

  return async function findHabit(
    { collectionId, agentType }: Pick<EnhanceRequest, 'collectionId' | 'agentType'>,
    call: CallContext,
  ): Promise<Lesson | undefined> {
    const asker = JSON.stringify([collectionId, agentType]);
    if ((emptyUntil.get(asker) ?? 0) > monotonicMs()) return undefined;
    const ofAgent = agentType === undefined ? {} : { agentType };
    const request = { collectionId, text: formatAdvice, byWordsAlone: true, limit: searchLimit, ...ofAgent };
    const found = await knowledge.search(request, call);
    const matching = decidedHits(found).filter(
      ({ insight, origin, state }) =>
        insight.scope === 'format' && origin.agentType === agentType && state !== 'pending',
    );
    const [habit] = habitsIn(matching).sort((a, b) => b.support - a.support);
    // Another decision should count at once.
    const isDecided = found.verdicts.length > 0 || found.settings.review === 'required';
    if (!habit && !isDecided) rememberEmpty(asker);
    return habit && !isSilenced(habit) ? habit : undefined;
  };

  function rememberEmpty(asker: string): void {
    const [oldest] = emptyUntil.keys();
    if (emptyUntil.size >= maxRemembered && oldest !== undefined) emptyUntil.delete(oldest);
    emptyUntil.set(asker, monotonicMs() + emptyForMs);
  }
}

/** Grouped by rule, whatever each run sent and however it ended. */
function habitsIn(hits: readonly DecidedHit[]): Lesson[] {
  const rules = [...new Set(hits.map(({ insight }) => insight.rule))];
  return rules.flatMap((rule) => {
    const made = hits.filter(({ insight }) => insight.rule === rule);
    const tasks = new Set(made.map(taskNameOf)).size;
    const habit = { ...lessonOf(made.map(inWords), () => []), voteShift: 0 };
    return habit.support < minimum.runs || tasks < minimum.tasks ? [] : [habit];
  });
}

/** Advice without an example: an agent would copy the wrong format as readily as the right one. */
function inWords(hit: DecidedHit): JudgedHit {
  const { example: _, ...bare } = hit.insight;
  const insight = { ...bare, kind: 'strategy', polarity: 'success' } as const;
  const judged = { relation: 'similar', verbatim: false, sameIntent: false, isClose: false, nearness: 0 } as const;
  return { hit, insight, ...judged, forms: [] };
}

/** Appends the habit if an example is shown and there is room; next to a mere hint it misled an agent. */
export function withHabit(
  chosen: readonly Chosen[],
  habit: Lesson | undefined,
  most: number,
  explanation?: Explanation,
): Chosen[] {
  if (!habit) return [...chosen];
  const reason = notToldBecause(chosen, habit, most);
  if (reason) explanation?.leave(habit.shown, reason);
  return reason ? [...chosen] : [...chosen, { lesson: habit, as: isInPersonsWords(habit.shown) ? 'said' : 'words' }];
}

function notToldBecause(chosen: readonly Chosen[], habit: Lesson, most: number): Reason | undefined {
  const showsHow = chosen.some(({ lesson, as }) => as === 'example' || (as === 'said' && lesson.example !== undefined));
  if (!showsHow) return 'without_example';
  if (chosen.length >= most) return 'too_many';
  const weighed = weighVotes([...chosen.map(({ lesson }) => lesson), habit]);
  return weighed.some(({ shown }) => shown.id === habit.shown.id) ? undefined : 'contradicted_by_outcomes';
}
