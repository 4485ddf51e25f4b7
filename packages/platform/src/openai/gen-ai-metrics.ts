import { Histogram, type Registry } from 'prom-client';

import type { FailureKind } from './model-failure.js';

export type Operation = 'chat' | 'embeddings';

export interface TokenUsage {
  input?: number | undefined;
  output?: number | undefined;
}

/** Measures calls of one model, by OpenTelemetry's names for them in Prometheus' spelling. */
export interface GenAiMetrics {
  called(operation: Operation, seconds: number, failure?: FailureKind): void;
  used(operation: Operation, usage: TokenUsage): void;
}

const durationName = 'gen_ai_client_operation_duration_seconds';
const usageName = 'gen_ai_client_token_usage';

/** What OpenTelemetry advises for these two. */
const secondBuckets = Array.from({ length: 14 }, (_, power) => 0.01 * 2 ** power);
const tokenBuckets = Array.from({ length: 14 }, (_, power) => 4 ** power);

export function createGenAiMetrics(registry: Registry, model: string): GenAiMetrics {
  const own = (operation: Operation) => ({
    gen_ai_operation_name: operation,
    gen_ai_provider_name: 'openai',
    gen_ai_request_model: model,
  });
  const durations = durationsIn(registry);
  const tokens = tokensIn(registry);
  return {
    called: (operation, seconds, failure) =>
      durations.observe({ ...own(operation), error_type: failure ?? '' }, seconds),
    used(operation, usage) {
      for (const type of ['input', 'output'] as const) {
        const count = usage[type];
        if (count !== undefined) tokens.observe({ ...own(operation), gen_ai_token_type: type }, count);
      }
    },
  };
}

/** One process may use several models, but a registry takes a name once. */
function durationsIn(registry: Registry) {
  return (
    (registry.getSingleMetric(durationName) as Histogram | undefined) ??
    new Histogram({
      name: durationName,
      help: 'Time that calls of models take; error_type is empty where they succeed',
      labelNames: ['gen_ai_operation_name', 'gen_ai_provider_name', 'gen_ai_request_model', 'error_type'],
      buckets: secondBuckets,
      registers: [registry],
    })
  );
}

function tokensIn(registry: Registry) {
  return (
    (registry.getSingleMetric(usageName) as Histogram | undefined) ??
    new Histogram({
      name: usageName,
      help: 'Tokens of one call, as the endpoint counts them',
      labelNames: ['gen_ai_operation_name', 'gen_ai_provider_name', 'gen_ai_request_model', 'gen_ai_token_type'],
      buckets: tokenBuckets,
      registers: [registry],
    })
  );
}
