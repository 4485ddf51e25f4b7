import type { EnhanceRequest, SearchHit } from '@whetstone/contracts';
import type { CallContext } from '@whetstone/platform';
import { formatAdvice } from '@whetstone/reading';

import type { KnowledgeBase } from '../ports.js';
import type { Chosen } from './choose-lessons.js';
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
    const { hits } = await knowledge.search(request, call);
    const matching = hits.filter(({ insight, origin }) => insight.scope === 'format' && origin.agentType === agentType);
    const [habit] = habitsIn(matching).sort((a, b) => b.support - a.support);
    if (!habit) rememberEmpty(asker);
    return habit;
  };

  function rememberEmpty(asker: string): void {
    const [oldest] = emptyUntil.keys();
    if (emptyUntil.size >= maxRemembered && oldest !== undefined) emptyUntil.delete(oldest);
    emptyUntil.set(asker, monotonicMs() + emptyForMs);
  }
}

/** Grouped by rule, whatever each run sent and however it ended. */
function habitsIn(hits: readonly SearchHit[]): Lesson[] {
  const rules = [...new Set(hits.map(({ insight }) => insight.rule))];
  return rules.flatMap((rule) => {
    const made = hits.filter(({ insight }) => insight.rule === rule);
    const tasks = new Set(made.map(taskNameOf)).size;
    const habit = { ...lessonOf(made.map(inWords), () => []), voteShift: 0 };
    return habit.support < minimum.runs || tasks < minimum.tasks ? [] : [habit];
  });
}

/** Advice without an example: an agent would copy the wrong format as readily as the right one. */
function inWords(hit: SearchHit): JudgedHit {
  const { example: _, ...bare } = hit.insight;
  const insight = { ...bare, kind: 'strategy', polarity: 'success' } as const;
  return { hit, insight, relation: 'similar', verbatim: false, sameIntent: false, nearness: 0, forms: [] };
}

/** Appends the habit if an example is shown and there is room; next to a mere hint it misled an agent. */
export function withHabit(chosen: readonly Chosen[], habit: Lesson | undefined, most: number): Chosen[] {
  const showsHow = chosen.some(({ as }) => as === 'example');
  if (!habit || !showsHow || chosen.length >= most) return [...chosen];
  const weighed = weighVotes([...chosen.map(({ lesson }) => lesson), habit]);
  const isHarmful = !weighed.some(({ shown }) => shown.id === habit.shown.id);
  return isHarmful ? [...chosen] : [...chosen, { lesson: habit, as: 'words' }];
}
