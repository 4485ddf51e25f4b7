import type { Logger } from '@whetstone/platform';
import { type ChatRequest, createSparingComplaint, ModelFailure } from '@whetstone/platform/openai';

import { answerSchemaFor, type Outcome } from './model-answer.js';

/** How JSON output is requested: by an enforced schema, by JSON mode, or in the prompt alone. */
export type OutputMode = 'json_schema' | 'json_object' | 'text';

interface DialectOptions {
  output: OutputMode | 'auto';
  maxOutputTokens: number;
  /** OpenAI's models need `max_completion_tokens`; most other servers know only `max_tokens`. */
  isOpenAi: boolean;
  logger: Logger;
}

/** The request parameters that an endpoint supports, discovered by trial and kept for the life of the process. */
export interface Dialect {
  readonly mode: OutputMode;
  /** The request without its messages. */
  parameters(outcome: Outcome): Omit<ChatRequest, 'messages'>;
  /**
   * Handles a rejected request. Returns if the next one will differ; throws ModelFailure if there is nothing left to
   * try.
   */
  adapt(failure: ModelFailure, tried: Omit<ChatRequest, 'messages'>): void;
}

type LimitName = 'max_tokens' | 'max_completion_tokens';

const modes: readonly OutputMode[] = ['json_schema', 'json_object', 'text'];

export function createDialect({ output, maxOutputTokens, isOpenAi, logger }: DialectOptions): Dialect {
  const complain = createSparingComplaint(logger);
  let mode: OutputMode = output === 'auto' ? 'json_schema' : output;
  let limitName: LimitName = isOpenAi ? 'max_completion_tokens' : 'max_tokens';
  let limitWasRenamed = false;

  return {
    get mode() {
      return mode;
    },
    parameters: (outcome) => ({ [limitName]: maxOutputTokens, ...formatOf(mode, outcome) }),
    adapt(failure, tried) {
      if (failure.kind === 'unsupported_limit') useOtherLimit(failure, tried);
      else useNextMode(failure, tried);
    },
  };

  function useNextMode(failure: ModelFailure, tried: Omit<ChatRequest, 'messages'>): void {
    // A concurrent request has already switched the mode.
    if ((tried.response_format?.type ?? 'text') !== mode) return;
    const next = modes[modes.indexOf(mode) + 1];
    if (output !== 'auto' || next === undefined) {
      const message = `The endpoint does not support WHETSTONE_MODEL_OUTPUT=${mode}; choose another mode or auto. ${failure.message}`;
      complain({ output: mode }, `Learning with the model is blocked until this is fixed: ${message}`);
      throw new ModelFailure('wrong_setting', message);
    }
    logger.warn(
      { from: mode, to: next, reason: failure.message },
      'Model endpoint does not support this output mode; falling back. Set WHETSTONE_MODEL_OUTPUT to the new mode to skip the failed request after a restart',
    );
    mode = next;
  }

  function useOtherLimit(failure: ModelFailure, tried: Omit<ChatRequest, 'messages'>): void {
    if (!(limitName in tried)) return;
    if (limitWasRenamed) throw new ModelFailure('wrong_setting', failure.message);
    limitWasRenamed = true;
    limitName = limitName === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
  }
}

function formatOf(mode: OutputMode, outcome: Outcome): Pick<ChatRequest, 'response_format'> {
  if (mode === 'text') return {};
  if (mode === 'json_object') return { response_format: { type: 'json_object' } };
  const json_schema = { name: 'insights', strict: true, schema: answerSchemaFor(outcome) };
  return { response_format: { type: 'json_schema', json_schema } };
}
