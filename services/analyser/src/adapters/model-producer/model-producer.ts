import type { RunTrail } from '@whetstone/contracts';
import { AppError, type Logger, type Registry } from '@whetstone/platform';
import { createModelEndpoint, isModelFailure, toAppError } from '@whetstone/platform/openai';

import { admitInsights, type DraftedInsight } from '../../domain/learn/admit-insights.js';
import type { ModelReading } from '../../domain/learn/reflect.js';
import { estimateTokens, writeTrails } from '../../domain/learn/transcript.js';
import type { FindOpposites, InsightProducer, Run } from '../../domain/ports.js';
import type { ModelConfig } from '../../model-config.js';
import type { ReflectorPool } from '../reflector-pool.js';
import { ContextOverflow, createAskModel, createConcurrencyLimit } from './ask-model.js';
import { instructionsFor, promptVersion, type Question, readPrompts } from './compose-prompt.js';
import { createDialect } from './dialect.js';
import type { AnsweredInsight } from './model-answer.js';

interface ModelProducerDeps {
  /** Reads runs off the event loop. Closed with the producer. */
  pool: ReflectorPool;
  logger: Logger;
  registry: Registry;
}

interface PreparedQuestion extends ModelReading, Question {
  others: readonly RunTrail[];
}

/** For everything besides instructions, record and answer, including a repair. */
const overheadTokens = 900;
const minRecordTokens = 300;
/** Of the budget, for runs with the opposite outcome. */
const maxOppositesShare = 0.25;
const confidences: Record<AnsweredInsight['confidence'], number> = { low: 0.4, medium: 0.6, high: 0.8 };

/**
 * Learns with a model behind an OpenAI-compatible endpoint. The reflector still reads the task and the trail, and the
 * model's insights pass the same guards.
 */
export async function openModelProducer(config: ModelConfig, deps: ModelProducerDeps): Promise<InsightProducer> {
  const { pool, logger, registry } = deps;
  const { name, baseUrl, apiKey, output, concurrency, timeoutMs, contextTokens, maxOutputTokens } = config;
  const prompts = await readPrompts();
  const budgetTokens =
    contextTokens - maxOutputTokens - overheadTokens - estimateTokens(instructionsFor(prompts, 'text', 'unknown'));
  if (budgetTokens < minRecordTokens) throw contextTooSmall(config, minRecordTokens - budgetTokens);
  const variables = 'WHETSTONE_MODEL';
  const endpoint = createModelEndpoint({ baseUrl, apiKey, model: name, timeoutMs, variables, logger, registry });
  const dialect = createDialect({ output, maxOutputTokens, isOpenAi: baseUrl === undefined, logger });
  const ask = createAskModel({ endpoint, dialect, prompts, limit: createConcurrencyLimit(concurrency) });
  const producer = { name: `model:${name}`, version: `prompt-${promptVersion}` };
  /** Jobs are retried while the model is unavailable; each run is read only once. */
  const prepared = new WeakMap<Run, PreparedQuestion>();

  return {
    async produce(source, signal, findOpposites) {
      throwIfResting();
      const question = prepared.get(source) ?? (await prepare(source, signal, findOpposites));
      prepared.set(source, question);
      const { reflection } = question;
      if (!question.teachable) return reflection;
      const answered = await askWithinContext(source, question, signal);
      const { insights, dropped } = admitInsights(answered.map(insightOf), question);
      // Fall back to what the reflector learnt.
      if (insights.length === 0) return { ...reflection, dropped };
      const { intent, run, deeds } = reflection;
      return { intent, run, insights, deeds, dropped, producer };
    },
    outline: pool.outline,
    dependencies: () => [{ name: 'model', ok: endpoint.healthy() }],
    close: pool.close,
  };

  async function prepare(source: Run, signal: AbortSignal, findOpposites?: FindOpposites): Promise<PreparedQuestion> {
    const reading = await read(source, budgetTokens, signal);
    const runs = reading.teachable ? ((await findOpposites?.(reading, signal)) ?? []) : [];
    const opposites = writeTrails(runs, Math.floor(budgetTokens * maxOppositesShare));
    const room = budgetTokens - estimateTokens(opposites);
    const fits = estimateTokens(reading.transcript) <= room;
    return { ...(fits ? reading : await read(source, room, signal)), opposites, others: runs };
  }

  function read(run: Run, tokens: number, signal: AbortSignal): Promise<ModelReading> {
    return pool.call<ModelReading>('readForModel', { run, budgetTokens: tokens }, signal);
  }

  /**
   * The token estimate may be too low: retries once with half the budget. If that fails too, the settings are wrong.
   */
  async function askWithinContext(
    run: Run,
    question: PreparedQuestion,
    signal: AbortSignal,
  ): Promise<AnsweredInsight[]> {
    try {
      return (await ask(question, signal)).insights;
    } catch (error) {
      if (!(error instanceof ContextOverflow)) throw error;
    }
    const shorter = { ...(await read(run, Math.floor(budgetTokens / 2), signal)), opposites: '', others: [] };
    prepared.set(run, shorter);
    try {
      return (await ask(shorter, signal)).insights;
    } catch (error) {
      if (!(error instanceof ContextOverflow)) throw error;
      const message = 'The run is too long for the model, even when cut to half of WHETSTONE_MODEL_CONTEXT_TOKENS';
      throw new AppError('analysis_failed', message, { cause: error });
    }
  }

  /** While the endpoint is backing off, reading the run would be wasted work. */
  function throwIfResting(): void {
    try {
      endpoint.throwIfResting();
    } catch (failure) {
      throw isModelFailure(failure) ? toAppError(failure, 'analysis_failed') : failure;
    }
  }
}

function insightOf(answered: AnsweredInsight): DraftedInsight {
  const {
    kind,
    title,
    applies_when,
    not_when,
    content,
    steps = [],
    example,
    polarity,
    evidence,
    confidence,
  } = answered;
  return {
    kind,
    title,
    ...(applies_when == null ? {} : { appliesWhen: applies_when }),
    ...(not_when == null ? {} : { notWhen: not_when }),
    content,
    steps,
    ...(example == null ? {} : { example }),
    polarity,
    evidence,
    confidence: confidences[confidence],
  };
}

function contextTooSmall({ contextTokens, maxOutputTokens }: ModelConfig, missing: number): AppError {
  return new AppError(
    'invalid_argument',
    `WHETSTONE_MODEL_CONTEXT_TOKENS (${contextTokens}) leaves no room for a run next to the instructions and WHETSTONE_MODEL_MAX_OUTPUT_TOKENS (${maxOutputTokens}); add at least ${missing}`,
  );
}
