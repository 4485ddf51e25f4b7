import { AppError } from '@whetstone/platform';
import { type ChatAnswer, isModelFailure, type ModelEndpoint, toAppError } from '@whetstone/platform/openai';

import { composeMessages, composeRepair, type Messages, type Prompts, type Question } from './compose-prompt.js';
import type { Dialect } from './dialect.js';
import { type Answer, type CheckAnswer, createCheckAnswer, type Outcome, readAnswer } from './model-answer.js';

interface AskModelDeps {
  endpoint: Pick<ModelEndpoint, 'chat'>;
  dialect: Dialect;
  prompts: Prompts;
  limit: ConcurrencyLimit;
  check?: CheckAnswer;
}

/** The endpoint rejected the request as too long for the model. */
export class ContextOverflow extends Error {
  override readonly name = 'ContextOverflow';
}

/**
 * Asks the model what one run teaches. An unusable answer is sent back once for repair; a second one fails the attempt.
 * Rejects with AppError `model_unavailable` (retryable) if the endpoint fails, `analysis_failed` if the model or the
 * run is at fault, or ContextOverflow.
 */
type AskModel = (question: Question, signal: AbortSignal) => Promise<Answer>;

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
    const message =
      'refusal' in second
        ? second.refusal
        : `The model's answer was still unusable after one repair: ${second.problem}`;
    throw new AppError('analysis_failed', message);
  };

  /** Sends one request, adapting the dialect until the endpoint accepts it. */
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
        if (failure.kind === 'context_overflow')
          throw new ContextOverflow('The request is too long for the model', { cause: failure });
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

/** Runs work when a slot is free. Rejects with the signal's reason if it aborts first. */
type ConcurrencyLimit = <Result>(work: () => Promise<Result>, signal: AbortSignal) => Promise<Result>;

/** Limits concurrent work; waiters run in order of arrival. */
export function createConcurrencyLimit(limit: number): ConcurrencyLimit {
  const waiting = new Set<() => void>();
  let running = 0;

  return async (work, signal) => {
    signal.throwIfAborted();
    if (running >= limit) await waitForSlot(signal);
    else running++;
    try {
      return await work();
    } finally {
      const [next] = waiting;
      if (next) next();
      else running--;
    }
  };

  /** A finished task hands its slot to the first waiter, so that no newcomer can take it. */
  function waitForSlot(signal: AbortSignal): Promise<void> {
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
