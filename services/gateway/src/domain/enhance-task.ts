import type { AgentInput, Candidate, EnhancedResponse, EnhanceRequest, Recommendation } from '@whetstone/contracts';
import type { KeyRing } from '@whetstone/identity';
import type { CallContext, Clock } from '@whetstone/platform';
import type { Enhancer } from './ports.js';
import type { Caller, ResolveCollection } from './resolve-collection.js';

interface EnhanceTaskDeps {
  analyser: Enhancer;
  clock: Pick<Clock, 'now'>;
  keys: Pick<KeyRing, 'hasSeveralUploaders'>;
  resolveCollection: ResolveCollection;
}

/** Of a long input, what to search for has been read. */
export type ReadInput = AgentInput & Pick<EnhanceRequest, 'searchTexts'>;

export type EnhanceTask = (
  caller: Caller,
  input: ReadInput & { explain?: boolean },
  call: CallContext,
) => Promise<EnhancedResponse>;

export function createEnhanceTask({ analyser, clock, keys, resolveCollection }: EnhanceTaskDeps): EnhanceTask {
  return async (caller, input, call) => {
    const agentType = input.agent_type ?? undefined;
    const result = await analyser.enhance(
      {
        collectionId: resolveCollection(caller, input.tenant_id),
        inputText: input.input_text,
        context: input.context ?? {},
        ...(agentType === undefined ? {} : { agentType }),
        ...(input.explain && { explain: true }),
        ...(keys.hasSeveralUploaders(caller.account, clock.now()) && { severalKeys: true }),
        ...(input.searchTexts && { searchTexts: input.searchTexts }),
      },
      call,
    );
    return {
      response: result.response,
      metadata: {
        confidence_score: result.confidenceScore,
        agent_type: agentType ?? null,
        enhancement_id: result.enhancementId,
        recommendations: result.recommendations.map(recommendationOf),
        ...(input.explain && { explanation: (result.candidates ?? []).map(candidateOf) }),
        ...(result.holdout ? { holdout: true } : {}),
      },
    };
  };
}

function candidateOf(candidate: Candidate) {
  const { id, kind, title, task, similarity, support, told, reason, because } = candidate;
  return { id, kind, title, task, similarity, support, told, reason, because };
}

function recommendationOf(recommendation: Recommendation) {
  const { id, kind, title, text, similarity, support, sourceJobIds } = recommendation;
  return { id, kind, title, text, similarity, support, source_job_ids: sourceJobIds };
}
