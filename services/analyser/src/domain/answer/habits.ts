import type { EnhanceRequest, SearchHit } from '@whetstone/contracts';
import type { CallContext, Clock } from '@whetstone/platform';
import { formatAdvice } from '@whetstone/reading';

import type { KnowledgeBase } from '../ports.js';
import type { Chosen } from './choose-lessons.js';
import { type Lesson, lessonOf } from './fold-lessons.js';
import type { JudgedHit } from './judge-hits.js';
import { weighVotes } from './vote-weight.js';

export interface HabitsDeps {
  knowledge: Pick<KnowledgeBase, 'search'>;
  clock: Clock;
}

const searched = 64;
/** What fewer runs did, or those at one task alone, is no habit. */
const fewest = { runs: 3, tasks: 2 };
const noneForMicros = 30_000_000;
const mostRemembered = 10_000;

/**
 * The form of what an agent writes hits every task alike: told by the runs near the task alone it would hardly ever be, and never
 * with all the runs that it was learnt from. So it is looked for by what it says. Collections without any, which are most, are
 * asked now and then only.
 */
export function createFindHabit({ knowledge, clock }: HabitsDeps) {
  const noneUntil = new Map<string, number>();

  return async function findHabit(
    { collectionId, agentType }: Pick<EnhanceRequest, 'collectionId' | 'agentType'>,
    call: CallContext,
  ): Promise<Lesson | undefined> {
    const whose = JSON.stringify([collectionId, agentType]);
    if ((noneUntil.get(whose) ?? 0) > clock.now()) return undefined;
    const ofAgent = agentType === undefined ? {} : { agentType };
    const request = { collectionId, text: formatAdvice, byWordsAlone: true, limit: searched, ...ofAgent };
    const { hits } = await knowledge.search(request, call);
    const own = hits.filter(({ insight, origin }) => insight.scope === 'format' && origin.agentType === agentType);
    const [habit] = habitsIn(own).sort((a, b) => b.support - a.support);
    if (!habit) remember(whose);
    return habit;
  };

  function remember(whose: string): void {
    const [oldest] = noneUntil.keys();
    if (noneUntil.size >= mostRemembered && oldest !== undefined) noneUntil.delete(oldest);
    noneUntil.set(whose, clock.now() + noneForMicros);
  }
}

/** By the rule that made them: what each run had sent is of no interest, nor whether it got past it in the end. */
function habitsIn(hits: readonly SearchHit[]): Lesson[] {
  const rules = [...new Set(hits.map(({ insight }) => insight.rule))];
  return rules.flatMap((rule) => {
    const made = hits.filter(({ insight }) => insight.rule === rule);
    const tasks = new Set(made.map(({ intent }) => intent)).size;
    const habit = { ...lessonOf(made.map(inWords), () => []), voteShift: 0 };
    return habit.support < fewest.runs || tasks < fewest.tasks ? [] : [habit];
  });
}

/** What to do, and no example: of a form, what is wrong would be copied like what is right. */
function inWords(hit: SearchHit): JudgedHit {
  const { example: _, ...bare } = hit.insight;
  const insight = { ...bare, kind: 'strategy', polarity: 'success' } as const;
  return { hit, insight, relation: 'alike', verbatim: false, agrees: false, nearness: 0, forms: [] };
}

/** Says it last, beside an example, where there is room. It is nothing about the task, and beside a mere hint it misled an agent. */
export function withHabit(chosen: readonly Chosen[], habit: Lesson | undefined, most: number): Chosen[] {
  const showsHow = chosen.some(({ as }) => as === 'example');
  if (!habit || !showsHow || chosen.length >= most) return [...chosen];
  const weighed = weighVotes([...chosen.map(({ lesson }) => lesson), habit]);
  const isHarmful = !weighed.some(({ shown }) => shown.id === habit.shown.id);
  return isHarmful ? [...chosen] : [...chosen, { lesson: habit, as: 'words' }];
}
