import type { RunTrail } from '@whetstone/contracts';
import { AppError, type Logger, type Registry } from '@whetstone/platform';
import { createModelEndpoint, isModelFailure, toAppError } from '@whetstone/platform/openai';

import { admitInsights, type DraftedInsight } from '../../domain/learn/admit-insights.js';
import type { ModelReading } from '../../domain/learn/reflect.js';
import { estimateTokens, writeTrails } from '../../domain/learn/transcript.js';
import type { FindOpposites, InsightProducer, Run } from '../../domain/ports.js';
import type { ModelConfig } from '../../model-config.js';
import type { ReflectorPool } from '../reflector-pool.js';
import { createAskModel, createLimitAtOnce, TooLongForModel } from './ask-model.js';
import { instructionsFor, promptVersion, type Question, readPrompts } from './compose-prompt.js';
import { createDialect } from './dialect.js';
import type { AnsweredInsight } from './model-answer.js';

export interface ModelProducerDeps {
  /** Reads runs off the event loop; closed with the producer. */
  pool: ReflectorPool;
  logger: Logger;
  registry: Registry;
}

interface PreparedQuestion extends ModelReading, Question {
  others: readonly RunTrail[];
}

/** What a request says besides instructions, record and answer, and a repair with the answer that it is about. */
const overheadTokens = 900;
const leastRecordTokens = 300;
/** Of what the model can read: for what other runs did. */
const oppositesShare = 0.25;
const confidences: Record<AnsweredInsight['confidence'], number> = { low: 0.4, medium: 0.6, high: 0.8 };

/**
 * Insights by a model behind an OpenAI-compatible endpoint. What the task is and what was done about it is read without the
 * model, as the reflector reads it, and what the model says passes the same guards.
 */
export async function openModelProducer(config: ModelConfig, deps: ModelProducerDeps): Promise<InsightProducer> {
  const { pool, logger, registry } = deps;
  const { name, baseUrl, apiKey, output, concurrency, timeoutMs, contextTokens, maxOutputTokens } = config;
  const prompts = await readPrompts();
  const budgetTokens =
    contextTokens - maxOutputTokens - overheadTokens - estimateTokens(instructionsFor(prompts, 'text', 'unknown'));
  if (budgetTokens < leastRecordTokens) throw noRoom(config, leastRecordTokens - budgetTokens);
  const variables = 'WHETSTONE_MODEL';
  const endpoint = createModelEndpoint({ baseUrl, apiKey, model: name, timeoutMs, variables, logger, registry });
  const dialect = createDialect({ output, maxOutputTokens, isOpenAi: baseUrl === undefined, logger });
  const ask = createAskModel({ endpoint, dialect, prompts, limit: createLimitAtOnce(concurrency) });
  const producer = { name: `model:${name}`, version: `prompt-${promptVersion}` };
  /** While the model is away a job comes again and again: its run is read once. */
  const prepared = new WeakMap<Run, PreparedQuestion>();

  return {
    async produce(source, signal, findOpposites) {
      rest();
      const question = prepared.get(source) ?? (await prepare(source, signal, findOpposites));
      prepared.set(source, question);
      const { reflection } = question;
      if (!question.teachable) return reflection;
      const answered = await askShortening(source, question, signal);
      const { insights, dropped } = admitInsights(answered.map(insightOf), question);
      // What can be read without a model is worth more than nothing.
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
    const opposites = writeTrails(runs, Math.floor(budgetTokens * oppositesShare));
    const room = budgetTokens - estimateTokens(opposites);
    const fits = estimateTokens(reading.transcript) <= room;
    return { ...(fits ? reading : await read(source, room, signal)), opposites, others: runs };
  }

  function read(run: Run, tokens: number, signal: AbortSignal): Promise<ModelReading> {
    return pool.call<ModelReading>('readForModel', { run, budgetTokens: tokens }, signal);
  }

  /** Estimates of tokens may be wrong by some; by more than half means that the settings are. */
  async function askShortening(run: Run, question: PreparedQuestion, signal: AbortSignal): Promise<AnsweredInsight[]> {
    try {
      return (await ask(question, signal)).insights;
    } catch (error) {
      if (!(error instanceof TooLongForModel)) throw error;
    }
    const shorter = { ...(await read(run, Math.floor(budgetTokens / 2), signal)), opposites: '', others: [] };
    prepared.set(run, shorter);
    try {
      return (await ask(shorter, signal)).insights;
    } catch (error) {
      if (!(error instanceof TooLongForModel)) throw error;
      const message = `The run is too long for the model, also when cut to half of WHETSTONE_MODEL_CONTEXT_TOKENS. ${error.message}`;
      throw new AppError('analysis_failed', message);
    }
  }

  /** An endpoint that wants to be left alone needs no reading either. */
  function rest(): void {
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

function noRoom({ contextTokens, maxOutputTokens }: ModelConfig, missing: number): AppError {
  return new AppError(
    'invalid_argument',
    `WHETSTONE_MODEL_CONTEXT_TOKENS (${contextTokens}) leaves no room for a run beside the instructions and WHETSTONE_MODEL_MAX_OUTPUT_TOKENS (${maxOutputTokens}): it takes at least ${missing} more`,
  );
}
