import type { EnhanceRequest, EnhanceResult, Recommendation } from '@whetstone/contracts';
import type { EnhancementIds } from '@whetstone/identity';
import type { CallContext, Clock, Registry } from '@whetstone/platform';

import type { KnowledgeBase } from '../ports.js';
import { chooseLessons } from './choose-lessons.js';
import { type ComposedLesson, composeLessons, composeResponse } from './compose-response.js';
import { confidenceScore } from './confidence-score.js';
import { createEnhanceMetrics } from './enhance-metrics.js';
import { foldHits } from './fold-hits.js';
import { withoutInjectedText } from './injected-text.js';
import { type RelevanceConfig, relevantHits } from './relevance.js';

export interface EnhanceConfig extends RelevanceConfig {
  /** Insights to choose from. */
  searchLimit: number;
  maxRecommendations: number;
  /** Of all recommendations together. */
  budgetChars: number;
}

export const defaultEnhanceConfig: EnhanceConfig = {
  searchLimit: 32,
  floor: 0.6,
  sameAgentFloor: 0.4,
  otherAgentFloor: 0.7,
  maxRecommendations: 5,
  budgetChars: 2_000,
};

export interface EnhanceDeps {
  knowledge: Pick<KnowledgeBase, 'search'>;
  enhancementIds: Pick<EnhancementIds, 'issue'>;
  clock: Clock;
  registry: Registry;
  config: EnhanceConfig;
}

/** Hands back the task with what past runs teach about it; where they teach nothing, the task as it came. */
export function createEnhanceTask({ knowledge, enhancementIds, clock, registry, config }: EnhanceDeps) {
  const metrics = createEnhanceMetrics(registry);

  return async function enhanceTask(request: EnhanceRequest, call: CallContext): Promise<EnhanceResult> {
    const { collectionId, inputText, agentType } = request;
    const composed = composeLessons(chooseLessons(await lessonsFor(request), config), config.budgetChars);
    metrics.answered(composed.length);

    const recommendations = composed.map(toRecommendation);
    return {
      response: composeResponse(inputText, composed),
      confidenceScore: confidenceScore(composed.map(({ lesson }) => lesson)),
      enhancementId: enhancementIds.issue(collectionId, {
        insightIds: recommendations.map(({ id }) => id),
        shownAt: clock.now(),
        holdout: false,
      }),
      recommendations,
      holdout: false,
    };

    async function lessonsFor({ context }: EnhanceRequest) {
      // An agent that sends an enhanced task on asks about the task, not about the earlier advice in it.
      const text = withoutInjectedText(inputText).trim() || inputText;
      const contextText = Object.values(context).join('\n');
      const { hits } = await knowledge.search(
        {
          collectionId,
          text,
          limit: config.searchLimit,
          ...(contextText === '' ? {} : { contextText }),
          ...(agentType === undefined ? {} : { agentType }),
        },
        call,
      );
      return foldHits(relevantHits(hits, { text, ...(agentType === undefined ? {} : { agentType }) }, config));
    }
  };
}

export type EnhanceTask = ReturnType<typeof createEnhanceTask>;

function toRecommendation({ lesson, text }: ComposedLesson): Recommendation {
  const { shown, support, sourceJobIds } = lesson;
  const { kind, title } = shown.insight;
  return { id: shown.id, kind, title, text, similarity: shown.similarity, support, sourceJobIds };
}
