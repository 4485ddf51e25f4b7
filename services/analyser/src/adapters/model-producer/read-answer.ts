import type { ChatAnswer } from '@whetstone/platform/openai';

import type { Answer, CheckAnswer, Outcome } from './answer-schema.js';

/**
 * What a model's words come to. `answer`: insights, or plainly none. `problem`: not what was asked for; the model may be told.
 * `refusal`: it will not, and asking again changes nothing.
 */
export type ReadAnswer = { answer: Answer } | { problem: string } | { refusal: string };

export function readAnswer(said: ChatAnswer, outcome: Outcome, check: CheckAnswer): ReadAnswer {
  const { content, refusal, finishReason } = said;
  if (refusal !== undefined && refusal !== '') return { refusal: 'The model refused to answer' };
  if (finishReason === 'content_filter') return { refusal: 'The content filter of the endpoint withheld the answer' };
  const cut = finishReason === 'length' ? ', because it reached the most tokens that an answer may have' : '';
  const text = withoutWrapping(content);
  if (text === '') return { problem: `it is empty${cut}` };
  const value = parse(text);
  if (value === undefined) return { problem: cut ? `it is cut off${cut}` : 'it is not a JSON object' };
  const problem = check(value, outcome);
  return problem === undefined ? { answer: value as Answer } : { problem };
}

/** Models without structured output think aloud and put their answer into a code fence. */
function withoutWrapping(content: string): string {
  const thought = content.trimStart().startsWith('<think>') ? content.indexOf('</think>') : -1;
  const said = (thought < 0 ? content : content.slice(thought + '</think>'.length)).trim();
  if (!said.startsWith('```') || !said.endsWith('```')) return said;
  const firstLine = said.indexOf('\n');
  return firstLine < 0 ? said : said.slice(firstLine, -'```'.length).trim();
}

/** The text itself, or the object that stands in it between other words. */
function parse(text: string): unknown {
  const whole = parseJson(text);
  if (whole !== undefined) return whole;
  const begin = text.indexOf('{');
  const end = text.lastIndexOf('}');
  return begin < 0 || end < begin ? undefined : parseJson(text.slice(begin, end + 1));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
