import type { EnhanceRequest, EnhanceResult, Recommendation } from '@whetstone/contracts';
import type { EnhancementIds } from '@whetstone/identity';
import { type CallContext, type Clock, Counter, Histogram, type Logger, type Registry } from '@whetstone/platform';
import { deedName, readExample, remembered, withoutAdvice } from '@whetstone/reading';

import type { KnowledgeBase } from '../ports.js';
import { admitLessons, type GuardConfig } from './admit-lessons.js';
import { chooseLessons, likelyEnd } from './choose-lessons.js';
import { type ComposedLesson, composeLessons, composeResponse } from './compose-response.js';
import { foldLessons, foldShown, type Lesson } from './fold-lessons.js';
import { createFindHabit, withHabit } from './habits.js';
import { type JudgedHit, judgeHits, type NearnessConfig } from './judge-hits.js';
import { createRelateTasks } from './relate-tasks.js';
import { createShowing } from './shown-values.js';

export interface EnhanceConfig extends NearnessConfig, GuardConfig {
  /** Insights to choose from. */
  searchLimit: number;
  maxRecommendations: number;
  /** Of all recommendations together. */
  budgetChars: number;
  /** Of the requests that there is something to say to: to so many nothing is said, to measure what saying it is worth. */
  holdoutShare: number;
}

export const defaultEnhanceConfig: EnhanceConfig = {
  searchLimit: 40,
  floor: 0.65,
  sameAgentFloor: 0.42,
  otherAgentFloor: 0.8,
  guardEffects: true,
  maxRecommendations: 5,
  budgetChars: 2_000,
  holdoutShare: 0,
};

export interface EnhanceDeps {
  knowledge: Pick<KnowledgeBase, 'search'>;
  enhancementIds: Pick<EnhancementIds, 'issue'>;
  clock: Clock;
  logger: Pick<Logger, 'warn'>;
  registry: Registry;
  /** From 0 to below 1. */
  random?: () => number;
  config: EnhanceConfig;
}

/**
 * Hands back the task with what past runs teach about it; where they teach nothing, or the request is drawn to be held out, the
 * task as it came.
 */
export function createEnhanceTask(deps: EnhanceDeps) {
  const { knowledge, enhancementIds, clock, logger, registry, random = Math.random, config } = deps;
  const metrics = createEnhanceMetrics(registry);
  const findHabit = createFindHabit({ knowledge, clock });
  const relateTasks = createRelateTasks();
  const read = remembered(readExample);

  return async function enhanceTask(request: EnhanceRequest, call: CallContext): Promise<EnhanceResult> {
    const { collectionId, inputText } = request;
    const composed = await lessonsFor(request, call);
    const holdout = composed.length > 0 && random() < config.holdoutShare;
    const told = holdout ? [] : composed;
    if (holdout) metrics.heldOut();
    else metrics.answered(told.length);

    return {
      response: composeResponse(inputText, told),
      confidenceScore: confidenceScore(told.map(({ lesson }) => lesson)),
      enhancementId: enhancementIds.issue(collectionId, {
        shown: composed.map(({ lesson }) => ({ id: lesson.shown.id, deeds: lesson.forms.map(deedName) })),
        shownAt: clock.now(),
        holdout,
      }),
      recommendations: told.map(toRecommendation),
      holdout,
    };
  };

  async function lessonsFor(request: EnhanceRequest, call: CallContext): Promise<ComposedLesson[]> {
    const { collectionId, inputText, agentType, context } = request;
    // An agent that sends an enhanced task on asks about the task, not about the earlier advice in it.
    const task = withoutAdvice(inputText).trim() || inputText;
    const contextText = Object.values(context).map(withoutAdvice).join('\n');
    const question = {
      collectionId,
      text: task,
      limit: config.searchLimit,
      ...(contextText === '' ? {} : { contextText }),
      ...(agentType === undefined ? {} : { agentType }),
    };
    const [{ hits }, habit] = await Promise.all([
      knowledge.search(question, call),
      // The answer is about the task: it does without the habit.
      findHabit(request, call).catch((error: unknown) => {
        logger.warn({ err: error, collectionId }, 'Searching for a format habit failed; answering without it');
        return undefined;
      }),
    ]);
    const judged = judgeHits(hits, { relations: relateTasks(task), agentType }, config);
    const admitted = admitLessons(foldLessons(judged, read), { task, hits, config });
    const { maxRecommendations, budgetChars } = config;
    const showing = createShowing({ task, contextText }, judged, read);
    const lessons = foldShown(admitted, showing.example);
    const chosen = chooseLessons(lessons, { maxRecommendations, end: likelyEnd(hits) });
    // Where the search was full of the task itself, it may have more runs than were found.
    const orMore = hits.length >= config.searchLimit && judged.filter(isOwn).length === hits.length;
    const composed = composeLessons(withHabit(chosen, habit, maxRecommendations), showing, { budgetChars, orMore });
    // A form alone is nothing about the task.
    return composed.some(({ lesson }) => lesson !== habit) ? composed : [];
  }
}

export type EnhanceTask = ReturnType<typeof createEnhanceTask>;

function isOwn({ relation }: JudgedHit): boolean {
  return relation !== 'alike';
}

function toRecommendation({ lesson, text }: ComposedLesson): Recommendation {
  const { shown, insight, support, sourceJobIds } = lesson;
  const { kind, title } = insight;
  return { id: shown.id, kind, title, text, similarity: shown.similarity, support, sourceJobIds };
}

const mostOfVotes = 0.05;

/**
 * The chance that the task is solved with the answer, by the best that is told. Taken from what a small real agent solved: three
 * of four with an example of the very task, about one of four with what is only alike, none with a caution alone.
 */
export function confidenceScore(lessons: readonly Lesson[]): number {
  const aboutTask = lessons.filter(({ insight }) => insight.scope !== 'format');
  return Math.round(1000 * Math.max(0, ...aboutTask.map(chanceOf))) / 1000;
}

function chanceOf({ relation, difference, insight, nearness, support, voteShift }: Lesson): number {
  if (insight.polarity === 'failure' || insight.kind === 'pitfall') return 0.05;
  const agreed = 1 - 1 / support;
  const votes = Math.max(-mostOfVotes, Math.min(mostOfVotes, voteShift));
  if (relation === 'same') return 0.7 + 0.1 * agreed + votes;
  if (relation === 'variant') return 0.65 + 0.05 * agreed + votes;
  if (difference) return 0.6 + votes;
  return 0.2 + 0.2 * nearness * nearness;
}

export interface EnhanceMetrics {
  answered(recommendations: number): void;
  /** There was something to say, and it was kept back. */
  heldOut(): void;
}

export function createEnhanceMetrics(registry: Registry): EnhanceMetrics {
  const returned = new Histogram({
    name: 'whetstone_recommendations_returned',
    help: 'Recommendations in one answer of enhance_task',
    buckets: [0, 1, 2, 3, 4, 5],
    registers: [registry],
  });
  const empty = new Counter({
    name: 'whetstone_enhance_empty_total',
    help: 'Answers of enhance_task without a recommendation',
    registers: [registry],
  });
  const heldOut = new Counter({
    name: 'whetstone_enhance_held_out_total',
    help: 'Answers of enhance_task whose recommendations were held out, to measure what they are worth',
    registers: [registry],
  });
  return {
    heldOut: () => heldOut.inc(),
    answered(recommendations) {
      returned.observe(recommendations);
      if (recommendations === 0) empty.inc();
    },
  };
}
