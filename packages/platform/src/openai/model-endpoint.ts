import { APIError, OpenAI } from 'openai';
import type { ChatCompletion, ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions';
import type { Registry } from 'prom-client';

import type { Logger } from '../logger.js';
import { type Span, withSpan } from '../tracing.js';
import { createGenAiMetrics, type Operation, type TokenUsage } from './gen-ai-metrics.js';
import {
  classifyAnswer,
  classifyFailure,
  fetchWithPlainErrors,
  isModelFailure,
  ModelFailure,
} from './model-failure.js';
import { createSparingComplaint } from './sparing-complaint.js';

export interface ModelEndpointOptions {
  /** Base URL, including `/v1` if it has one. Default: OpenAI. */
  baseUrl?: string | undefined;
  apiKey?: string | undefined;
  model: string;
  /** Timeout of one call, to the last byte of its answer. */
  timeoutMs: number;
  /** Variables to name when the endpoint refuses us, such as `WHETSTONE_MODEL`. */
  variables: string;
  logger: Logger;
  registry: Registry;
}

export type ChatRequest = Omit<ChatCompletionCreateParamsNonStreaming, 'model'>;

/** The answer of a model. */
export interface ChatAnswer {
  /** Empty if it said nothing. */
  content: string;
  refusal: string | undefined;
  finishReason: string | undefined;
}

/**
 * One model behind an OpenAI-compatible endpoint. No retries: the caller decides what follows a failure. An
 * endpoint that sent Retry-After is not called before that. Rejects with ModelFailure, or with the reason of
 * the signal.
 */
export interface ModelEndpoint {
  chat(request: ChatRequest, signal: AbortSignal): Promise<ChatAnswer>;
  /** One vector, as the model made it. */
  embed(text: string, signal: AbortSignal): Promise<number[]>;
  /** Throws what a call would reject with while Retry-After lasts. */
  throwIfResting(): void;
  /** Whether the last call got an answer. */
  healthy(): boolean;
}

type Call<Answer> = (client: OpenAI, signal: AbortSignal) => Promise<{ answer: Answer; usage: TokenUsage }>;

const openAiUrl = 'https://api.openai.com/v1';

export function createModelEndpoint(options: ModelEndpointOptions): ModelEndpoint {
  const { baseUrl = openAiUrl, apiKey, model, timeoutMs, variables, logger, registry } = options;
  const metrics = createGenAiMetrics(registry, model);
  const client = new OpenAI({
    baseURL: baseUrl,
    // The SDK requires a key; servers without keys get no header at all.
    apiKey: apiKey ?? 'none',
    defaultHeaders: apiKey === undefined ? { Authorization: null } : {},
    // The SDK would otherwise read its own environment variables.
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: 'off',
    maxRetries: 0,
    fetch: fetchWithPlainErrors,
  });
  const complain = createSparingComplaint(logger);
  let healthy = true;
  let restingUntilMs = 0;

  return {
    chat: (request, signal) =>
      measured('chat', signal, async (openai, limited) => {
        const completion = await openai.chat.completions.create({ ...request, model }, { signal: limited });
        expectObject(completion, 'choices');
        return { answer: answerOf(completion), usage: usageOf(completion.usage) };
      }),
    embed: (text, signal) =>
      measured('embeddings', signal, async (openai, limited) => {
        // Explicit, because the SDK would ask for base64 and decode any answer as that.
        const asked = { model, input: text, encoding_format: 'float' } as const;
        const response = await openai.embeddings.create(asked, { signal: limited });
        expectObject(response, 'data');
        const vector = response.data[0]?.embedding;
        if (!Array.isArray(vector)) throw notAnEndpoint();
        return { answer: vector, usage: usageOf(response.usage) };
      }),
    throwIfResting,
    healthy: () => healthy,
  };

  function throwIfResting(): void {
    const leftMs = Math.ceil(restingUntilMs - performance.now());
    if (leftMs > 0) {
      throw new ModelFailure('rate_limited', `The endpoint asked to be left alone for another ${leftMs} ms`, leftMs);
    }
  }

  async function measured<Answer>(operation: Operation, signal: AbortSignal, call: Call<Answer>): Promise<Answer> {
    throwIfResting();
    const attributes = {
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': model,
    };
    return withSpan(`${operation} ${model}`, { kind: 'client', attributes }, async (span) => {
      const begun = performance.now();
      const secondsSoFar = () => (performance.now() - begun) / 1000;
      try {
        const { answer, usage } = await withinTime(signal, (limited) => call(client, limited));
        metrics.called(operation, secondsSoFar());
        metrics.used(operation, usage);
        span.set(usageAttributes(usage));
        healthy = true;
        return answer;
      } catch (error) {
        signal.throwIfAborted();
        throw noted(failureOf(error), operation, secondsSoFar(), span);
      }
    });
  }

  /** The SDK's timeout ends with the headers of the answer; this one also covers the body. */
  async function withinTime<Result>(
    signal: AbortSignal,
    work: (limited: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const limit = AbortSignal.timeout(timeoutMs);
    try {
      return await work(AbortSignal.any([signal, limit]));
    } catch (error) {
      if (limit.aborted) throw new ModelFailure('timeout', `The endpoint did not answer within ${timeoutMs} ms`);
      throw error;
    }
  }

  function noted(failure: ModelFailure, operation: Operation, seconds: number, span: Span): ModelFailure {
    metrics.called(operation, seconds, failure.kind);
    span.set({ 'error.type': failure.kind });
    healthy = !failure.isAway;
    if (failure.retryAfterMs !== undefined) restingUntilMs = performance.now() + failure.retryAfterMs;
    if (failure.needsSomebody) {
      const { kind, message } = failure;
      complain(
        { error_type: kind, model, endpoint: baseUrl },
        `The model cannot be used, and work that needs it waits until this is mended: ${message}. Look at ${variables}_*`,
      );
    }
    return failure;
  }

  function failureOf(error: unknown): ModelFailure {
    const failure = isModelFailure(error) ? error : classifyFailure(error, Date.now());
    if (apiKey === undefined || !failure.message.includes(apiKey)) return failure;
    return new ModelFailure(failure.kind, failure.message.replaceAll(apiKey, '[key]'), failure.retryAfterMs);
  }
}

/** Some endpoints answer 200 with an error in the body; others are not model endpoints at all. */
function expectObject(body: unknown, field: string): void {
  if (typeof body !== 'object' || body === null) throw notAnEndpoint();
  const { error, [field]: list } = body as Record<string, unknown>;
  if (Array.isArray(list)) return;
  if (typeof error !== 'object' || error === null) throw notAnEndpoint();
  const code = Number((error as { code?: unknown }).code);
  throw classifyAnswer(APIError.generate(code >= 400 ? code : 500, body, undefined, new Headers()), Date.now());
}

function notAnEndpoint(): ModelFailure {
  return new ModelFailure('not_an_endpoint', 'What answers at this address is no OpenAI-compatible endpoint');
}

function answerOf({ choices }: ChatCompletion): ChatAnswer {
  const [first] = choices;
  return {
    content: first?.message?.content ?? '',
    refusal: first?.message?.refusal ?? undefined,
    finishReason: first?.finish_reason,
  };
}

function usageOf(usage: { prompt_tokens?: number; completion_tokens?: number } | undefined): TokenUsage {
  return { input: usage?.prompt_tokens, output: usage?.completion_tokens };
}

function usageAttributes({ input, output }: TokenUsage): Record<string, number> {
  return {
    ...(input === undefined ? {} : { 'gen_ai.usage.input_tokens': input }),
    ...(output === undefined ? {} : { 'gen_ai.usage.output_tokens': output }),
  };
}
