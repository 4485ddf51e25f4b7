import type { Logger } from '@whetstone/platform';
import { type ChatRequest, createSparingComplaint, ModelFailure } from '@whetstone/platform/openai';

import { answerSchemaFor, type Outcome } from './model-answer.js';

/** How an endpoint is told to answer in JSON: by a schema that it holds the model to, by a wish for JSON, or by words alone. */
export type OutputMode = 'json_schema' | 'json_object' | 'text';

export interface DialectOptions {
  output: OutputMode | 'auto';
  maxOutputTokens: number;
  /** OpenAI's own models want the limit under its new name; most other servers know the old one. */
  isOpenAi: boolean;
  logger: Logger;
}

/** Which of the protocol's forms an endpoint understands; what was found out counts for the life of the process. */
export interface Dialect {
  readonly mode: OutputMode;
  /** What a request about such a run has beside its messages. */
  parameters(outcome: Outcome): Omit<ChatRequest, 'messages'>;
  /**
   * The endpoint did not take this request. Returns when the next one will be different; throws ModelFailure where there is
   * nothing else to try.
   */
  adapt(failure: ModelFailure, tried: Omit<ChatRequest, 'messages'>): void;
}

type LimitName = 'max_tokens' | 'max_completion_tokens';

const modes: readonly OutputMode[] = ['json_schema', 'json_object', 'text'];

export function createDialect({ output, maxOutputTokens, isOpenAi, logger }: DialectOptions): Dialect {
  const complain = createSparingComplaint(logger);
  let mode: OutputMode = output === 'auto' ? 'json_schema' : output;
  let limitName: LimitName = isOpenAi ? 'max_completion_tokens' : 'max_tokens';
  let limitRefused = false;

  return {
    get mode() {
      return mode;
    },
    parameters: (outcome) => ({ [limitName]: maxOutputTokens, ...formatOf(mode, outcome) }),
    adapt(failure, tried) {
      if (failure.kind === 'unsupported_limit') otherLimit(failure, tried);
      else nextMode(failure, tried);
    },
  };

  function nextMode(failure: ModelFailure, tried: Omit<ChatRequest, 'messages'>): void {
    // Of many requests that were refused at the same time, the first has seen to it.
    if ((tried.response_format?.type ?? 'text') !== mode) return;
    const next = modes[modes.indexOf(mode) + 1];
    if (output !== 'auto' || next === undefined) {
      const message = `The endpoint does not take WHETSTONE_MODEL_OUTPUT=${mode}; choose another or auto. ${failure.message}`;
      complain({ output: mode }, `Nothing can be learnt with the model until this is mended: ${message}`);
      throw new ModelFailure('wrong_setting', message);
    }
    logger.warn(
      { from: mode, to: next, reason: failure.message },
      `The model's endpoint does not take output as ${mode}; asking for ${next} from now on. WHETSTONE_MODEL_OUTPUT=${next} says so from the start`,
    );
    mode = next;
  }

  function otherLimit(failure: ModelFailure, tried: Omit<ChatRequest, 'messages'>): void {
    if (!(limitName in tried)) return;
    if (limitRefused) throw new ModelFailure('wrong_setting', failure.message);
    limitRefused = true;
    limitName = limitName === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
  }
}

function formatOf(mode: OutputMode, outcome: Outcome): Pick<ChatRequest, 'response_format'> {
  if (mode === 'text') return {};
  if (mode === 'json_object') return { response_format: { type: 'json_object' } };
  const json_schema = { name: 'insights', strict: true, schema: answerSchemaFor(outcome) };
  return { response_format: { type: 'json_schema', json_schema } };
}
