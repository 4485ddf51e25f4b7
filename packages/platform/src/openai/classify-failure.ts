import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai';

import { type FailureKind, ModelFailure } from './model-failure.js';
import { retryAfterMs } from './retry-after.js';

const messageChars = 400;

const overflow =
  /context[_ -]?(?:length|size|window)|maximum context|exceeds? (?:the )?(?:available |model'?s )?(?:context|token)|too many (?:input )?tokens|(?:prompt|input|request) (?:is )?too (?:long|large)|reduce the length/i;
const outputFormat =
  /response[_ ]?format|json[_ ]?schema|json[_ ]?object|json[_ ]mode|structured[_ ]output|guided[_ ](?:json|decoding)|grammar|invalid schema/i;
const unsupported =
  /not (?:be )?(?:supported|implemented|available)|unsupported|unavailable|failed to (?:parse|initiali[sz]e)/i;
const tokenLimit = /max_tokens|max_completion_tokens/i;
const limitTooLarge = /too (?:large|high|many)|at most|exceeds?|less than|must be/i;
const filtered = /content[_ ]?(?:filter|policy|management|moderation)|moderation|flagged|safety system/i;
const noSuchModel =
  /\bmodel\b.{0,80}\b(?:not (?:exist|found|supported|available)|unknown|invalid)|(?:invalid|unknown) model/i;
const outOfMoney = /insufficient[_ ](?:quota|balance|funds|credits)|exceeded your current quota|billing/i;

/** What went wrong with a call, from what the SDK throws. */
export function classifyFailure(error: unknown, nowMs: number): ModelFailure {
  if (error instanceof APIConnectionTimeoutError)
    return new ModelFailure('timeout', 'The endpoint did not answer in time');
  if (error instanceof APIConnectionError || !(error instanceof APIError)) return brokenConnection(error);
  return classifyAnswer(error, nowMs);
}

/** An answer of the endpoint that says what is wrong; by its status, or by a code in its place. */
export function classifyAnswer({ status, message, code, param, type, headers }: APIError, nowMs: number): ModelFailure {
  const said = [message, code, param, type].filter((part) => part != null).join(' ');
  const kind = kindOf(status ?? 0, said);
  return new ModelFailure(kind, `The endpoint answered: ${clip(message)}`, retryAfterMs(headers, nowMs));
}

function kindOf(status: number, said: string): FailureKind {
  if (status === 429) return outOfMoney.test(said) ? 'quota_exceeded' : 'rate_limited';
  // Some servers call it their own error when they cannot do what was asked for.
  if ((status === 500 || status === 501) && outputFormat.test(said) && unsupported.test(said))
    return 'unsupported_output';
  if (status === 501) return 'not_found';
  if (status >= 500 || [408, 409, 425].includes(status)) return 'server_error';
  if (status === 413) return 'context_overflow';
  if ([400, 403, 422].includes(status) && filtered.test(said)) return 'content_filtered';
  if (status === 401 || status === 403 || status === 407) return 'unauthorized';
  if (status === 402) return 'quota_exceeded';
  if (status === 404 || status === 405) return 'not_found';
  return kindOfRejection(said);
}

/** The endpoint understood who asks and what for, and does not take it as it stands. */
function kindOfRejection(said: string): FailureKind {
  if (overflow.test(said)) return 'context_overflow';
  if (outputFormat.test(said)) return 'unsupported_output';
  if (tokenLimit.test(said)) return limitTooLarge.test(said) ? 'wrong_setting' : 'unsupported_limit';
  if (noSuchModel.test(said)) return 'not_found';
  return 'invalid_request';
}

function brokenConnection(error: unknown): ModelFailure {
  const { name, message } = rootOf(error);
  if (name === 'SyntaxError') {
    return new ModelFailure('broken_answer', 'The answer of the endpoint is no whole JSON document');
  }
  return new ModelFailure('unreachable', `The endpoint cannot be reached or broke off: ${clip(message)}`);
}

/** `fetch failed` says nothing; what it was caused by does. */
function rootOf(error: unknown): { name: string; message: string } {
  let root = error as Partial<NodeJS.ErrnoException>;
  while (typeof root.cause === 'object' && root.cause !== null) root = root.cause;
  const { name = 'Error', message, code } = root;
  return { name, message: message || code || name };
}

function clip(text: string): string {
  return text.length <= messageChars ? text : `${text.slice(0, messageChars - 1)}…`;
}
