import { AppError } from '@whetstone/platform';
import { type ChatAnswer, isModelFailure, type ModelEndpoint, toAppError } from '@whetstone/platform/openai';

import { composeMessages, composeRepair, type Messages, type Prompts, type Question } from './compose-prompt.js';
import type { Dialect } from './dialect.js';
import { type Answer, type CheckAnswer, createCheckAnswer, type Outcome, readAnswer } from './model-answer.js';

export interface AskModelDeps {
  endpoint: Pick<ModelEndpoint, 'chat'>;
  dialect: Dialect;
  prompts: Prompts;
  limit: LimitAtOnce;
  check?: CheckAnswer;
}

/** The record is longer than the model can read, whatever was estimated. */
export class TooLongForModel extends Error {
  override readonly name = 'TooLongForModel';
}

/**
 * What the model learns from one run. An answer that cannot be used is told to the model once; a second one is a failed try.
 * Rejects with AppError `model_unavailable` (retryable) where the endpoint is to blame, `analysis_failed` where the model or
 * the run is, and with TooLongForModel.
 */
export type AskModel = (question: Question, signal: AbortSignal) => Promise<Answer>;

export function createAskModel(deps: AskModelDeps): AskModel {
  const { endpoint, dialect, prompts, limit, check = createCheckAnswer() } = deps;

  return async (question, signal) => {
    const { outcome } = question.run;
    const first = await converse(() => composeMessages(prompts, dialect.mode, question), outcome, signal);
    const read = readAnswer(first.answer, outcome, check);
    if ('answer' in read) return read.answer;
    if ('refusal' in read) throw new AppError('analysis_failed', read.refusal);

    const repair = composeRepair(prompts, first.messages, first.answer.content, read.problem);
    const second = readAnswer((await converse(() => repair, outcome, signal)).answer, outcome, check);
    if ('answer' in second) return second.answer;
    const why =
      'refusal' in second ? second.refusal : `The model was told and did not mend its answer: ${second.problem}`;
    throw new AppError('analysis_failed', why);
  };

  /** One question and its answer, in the first form that the endpoint takes. */
  async function converse(
    compose: () => Messages,
    outcome: Outcome,
    signal: AbortSignal,
  ): Promise<{ messages: Messages; answer: ChatAnswer }> {
    for (;;) {
      const messages = compose();
      const parameters = dialect.parameters(outcome);
      try {
        const answer = await limit(() => endpoint.chat({ messages, ...parameters }, signal), signal);
        return { messages, answer };
      } catch (failure) {
        if (!isModelFailure(failure)) throw failure;
        if (failure.kind === 'context_overflow') throw new TooLongForModel(failure.message);
        if (failure.kind !== 'unsupported_output' && failure.kind !== 'unsupported_limit') {
          throw toAppError(failure, 'analysis_failed');
        }
        try {
          dialect.adapt(failure, parameters);
        } catch (final) {
          throw isModelFailure(final) ? toAppError(final, 'analysis_failed') : final;
        }
      }
    }
  }
}

/** Runs work as soon as it is its turn. Rejects with the reason of the signal where that aborts before. */
export type LimitAtOnce = <Result>(work: () => Promise<Result>, signal: AbortSignal) => Promise<Result>;

/** So many at the same time; the others wait in the order in which they came. */
export function createLimitAtOnce(limit: number): LimitAtOnce {
  const waiting = new Set<() => void>();
  let running = 0;

  return async (work, signal) => {
    signal.throwIfAborted();
    if (running >= limit) await turn(signal);
    else running++;
    try {
      return await work();
    } finally {
      const [next] = waiting;
      if (next) next();
      else running--;
    }
  };

  /** Whoever ends hands its place over, so that nobody who comes meanwhile takes it. */
  function turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiting.delete(begin);
        signal.removeEventListener('abort', giveUp);
      };
      const begin = () => {
        leave();
        resolve();
      };
      const giveUp = () => {
        leave();
        reject(signal.reason);
      };
      waiting.add(begin);
      signal.addEventListener('abort', giveUp);
    });
  }
}
