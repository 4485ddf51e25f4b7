import type { EnhanceRequest, SearchHit } from '@whetstone/contracts';
import type { CallContext, Clock } from '@whetstone/platform';

import type { KnowledgeBase } from '../ports.js';
import { formatQuestion, isAboutFormat } from '../reflector/lessons/format-lesson.js';
import { contentWords } from './content-words.js';
import type { Lesson } from './fold-hits.js';
import { votesOn, weighVotes } from './vote-weight.js';

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
 * A mistake of form hits every task alike: told by the runs near the task alone it would hardly ever be, and never with all the
 * runs that made it. So it is looked for by what it says. Collections without any, which are most, are asked now and then only.
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
    const request = { collectionId, text: formatQuestion, byWordsAlone: true, limit: searched, ...ofAgent };
    const { hits } = await knowledge.search(request, call);
    const own = hits.filter(({ insight, origin }) => isAboutFormat(insight) && origin.agentType === agentType);
    const titles = new Set(own.map(({ insight }) => insight.title));
    const habits = [...titles].flatMap((title) => habitOf(own.filter(({ insight }) => insight.title === title)));
    if (habits.length === 0) remember(whose);
    return habits.sort((a, b) => b.support - a.support)[0];
  };

  function remember(whose: string): void {
    const [oldest] = noneUntil.keys();
    if (noneUntil.size >= mostRemembered && oldest !== undefined) noneUntil.delete(oldest);
    noneUntil.set(whose, clock.now() + noneForMicros);
  }
}

function habitOf(hits: readonly SearchHit[]): Lesson[] {
  const support = new Set(hits.map(({ origin }) => origin.bodyDigest)).size;
  const tasks = new Set(hits.map(({ intent }) => intent)).size;
  const shown = commonest(hits);
  if (!shown || support < fewest.runs || tasks < fewest.tasks) return [];
  const { example: _, ...insight } = shown.insight;
  const habit = {
    shown: { ...shown, insight },
    relevance: 0,
    sameTask: false,
    uncalledFor: false,
    support,
    sourceJobIds: [...new Set(hits.map(({ origin }) => origin.jobId))],
    votes: votesOn(hits),
    voteShift: 0,
    words: contentWords(insight.content),
  };
  return [habit];
}

/** One of those that say what most say: some got past it, and others did not. */
function commonest(hits: readonly SearchHit[]): SearchHit | undefined {
  const counts = new Map<string, number>();
  for (const { insight } of hits) counts.set(insight.content, (counts.get(insight.content) ?? 0) + 1);
  const [content] = [...counts].reduce((most, next) => (next[1] > most[1] ? next : most), ['', 0]);
  return hits.find(({ insight }) => insight.content === content);
}

/** Says it last where there is room, and with all its runs where it is said anyway; never by itself: it is nothing about the task. */
export function withHabit(lessons: readonly Lesson[], habit: Lesson | undefined, most: number): Lesson[] {
  if (!habit || lessons.length === 0) return [...lessons];
  const isHabit = ({ shown }: Lesson) => shown.insight.title === habit.shown.insight.title;
  if (lessons.some(isHabit)) return lessons.map((lesson) => (isHabit(lesson) ? withRunsOf(lesson, habit) : lesson));
  const isHarmful = !weighVotes([...lessons, habit]).some(isHabit);
  return isHarmful || lessons.length >= most ? [...lessons] : [...lessons, habit];
}

function withRunsOf(lesson: Lesson, { support, sourceJobIds }: Lesson): Lesson {
  return {
    ...lesson,
    support: Math.max(lesson.support, support),
    sourceJobIds: [...new Set([...lesson.sourceJobIds, ...sourceJobIds])],
  };
}
