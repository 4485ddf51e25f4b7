import type { Interaction } from '@whetstone/contracts';
import { type Step, stepsToTurns } from './assemble-run.js';
import { decisionOf, firstTask, plainText, readMessages } from './messages.js';

/**
 * Makes a run of a conversation: what the assistant said or called is a step, what tools returned its result, what the
 * user said before it its input. `undefined` if nobody asks for anything, or nobody answers.
 */
export function runOfMessages(value: unknown): Pick<Interaction, 'query' | 'turns'> | undefined {
  const messages = readMessages(value);
  const query = firstTask(messages);
  const steps: Step[] = [];
  let input = '';
  for (const message of messages) {
    const { role, text, results } = message;
    const last = steps.at(-1);
    if (role === 'assistant' || role === 'ai' || role === 'model') {
      const decision = decisionOf(message);
      if (decision !== '') steps.push({ inputs: input, decision });
      input = '';
    } else if (results.length > 0 && last) {
      last.result = [...(last.result === undefined ? [] : [last.result]), ...results.map(plainText)].join('\n');
    } else if (role !== 'system') input = text;
  }
  return query === undefined || steps.length === 0 ? undefined : { query, turns: stepsToTurns(steps) };
}
