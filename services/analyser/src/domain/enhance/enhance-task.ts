import type { EnhanceRequest, EnhanceResult, Recommendation } from '@whetstone/contracts';
import type { EnhancementIds } from '@whetstone/identity';
import type { CallContext, Clock, Registry } from '@whetstone/platform';

import { withoutAdvice } from '../echo/own-words.js';
import type { KnowledgeBase } from '../ports.js';
import { chooseLessons } from './choose-lessons.js';
import { type ComposedLesson, composeLessons, composeResponse } from './compose-response.js';
import { confidenceScore } from './confidence-score.js';
import { withContrast } from './contrast.js';
import { withDifferentEnds } from './different-ends.js';
import { createEnhanceMetrics } from './enhance-metrics.js';
import { foldHits } from './fold-hits.js';
import { createFindHabit, withHabit } from './habits.js';
import { type RelevanceConfig, relevantHits } from './relevance.js';

export interface EnhanceConfig extends RelevanceConfig {
  /** Insights to choose from. */
  searchLimit: number;
  maxRecommendations: number;
  /** Of all recommendations together. */
  budgetChars: number;
  /** Of the requests that there is something to say to: to so many nothing is said, to measure what saying it is worth. */
  holdoutShare: number;
}

export const defaultEnhanceConfig: EnhanceConfig = {
  searchLimit: 32,
  floor: 0.65,
  sameAgentFloor: 0.42,
  otherAgentFloor: 0.8,
  maxRecommendations: 5,
  budgetChars: 2_000,
  holdoutShare: 0,
};

export interface EnhanceDeps {
  knowledge: Pick<KnowledgeBase, 'search'>;
  enhancementIds: Pick<EnhancementIds, 'issue'>;
  clock: Clock;
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
  const { knowledge, enhancementIds, clock, registry, random = Math.random, config } = deps;
  const metrics = createEnhanceMetrics(registry);
  const findHabit = createFindHabit({ knowledge, clock });

  return async function enhanceTask(request: EnhanceRequest, call: CallContext): Promise<EnhanceResult> {
    const { collectionId, inputText, agentType } = request;
    const composed = composeLessons(await lessonsFor(request), config.budgetChars);
    const holdout = composed.length > 0 && random() < config.holdoutShare;
    const told = holdout ? [] : composed;
    if (holdout) metrics.heldOut();
    else metrics.answered(told.length);

    return {
      response: composeResponse(inputText, told),
      confidenceScore: confidenceScore(told.map(({ lesson }) => lesson)),
      enhancementId: enhancementIds.issue(collectionId, {
        insightIds: composed.map(({ lesson }) => lesson.shown.id),
        shownAt: clock.now(),
        holdout,
      }),
      recommendations: told.map(toRecommendation),
      holdout,
    };

    async function lessonsFor({ context }: EnhanceRequest) {
      // An agent that sends an enhanced task on asks about the task, not about the earlier advice in it.
      const text = withoutAdvice(inputText).trim() || inputText;
      const contextText = Object.values(context).map(withoutAdvice).join('\n');
      const question = {
        collectionId,
        text,
        limit: config.searchLimit,
        ...(contextText === '' ? {} : { contextText }),
        ...(agentType === undefined ? {} : { agentType }),
      };
      // At the same time, and of no weight where it fails: the answer is about the task.
      const [{ hits }, habit] = await Promise.all([
        knowledge.search(question, call),
        findHabit(request, call).catch(() => undefined),
      ]);
      const relevant = relevantHits(hits, { text, ...(agentType === undefined ? {} : { agentType }) }, config);
      const lessons = chooseLessons(foldHits(relevant), config);
      const compared = withDifferentEnds(lessons, relevant) ?? withContrast(lessons, hits);
      return withHabit(compared, habit, config.maxRecommendations);
    }
  };
}

export type EnhanceTask = ReturnType<typeof createEnhanceTask>;

function toRecommendation({ lesson, text }: ComposedLesson): Recommendation {
  const { shown, support, sourceJobIds } = lesson;
  const { kind, title } = shown.insight;
  return { id: shown.id, kind, title, text, similarity: shown.similarity, support, sourceJobIds };
}
