import { parseJson } from '../actions/tool-call.js';
import type { Step } from '../read-steps.js';

/** A look-up whose result showed values that a later call was given. */
export interface ValueSource {
  look: Step;
  /** The arguments of the later call, by name. */
  args: string[];
}

/** An id, a code: what nobody makes up. Dates and amounts are known from elsewhere as well. */
const telling = /^(?=.*\d)(?!\d{4}-\d\d-\d\d$)(?!\d{1,5}(?:\.\d+)?$)[\w#.:@-]{4,80}$/;
const mostValues = 20;
const mostAnswers = 100;
const mostLooks = 60;
const answerChars = 2_000;

/**
 * Where the values of a call came from: look-ups before it whose results show them, unless the user had said them or the look-up
 * was itself asked with them. What the user says is the query and the answers to the agent's replies.
 */
export function sourcesOf(call: Step, before: readonly Step[], query: string): ValueSource[] {
  const heard = [query, ...answersIn(before)].join('\n').toLowerCase();
  const looks = before
    .filter(({ action, role, outcome }) => action.kind === 'tool' && role === 'look' && outcome.kind === 'ok')
    .slice(-mostLooks);
  const sources = new Map<string, ValueSource>();
  for (const [arg, given] of Object.entries(call.action.args)) {
    const values = valuesIn(given).filter((value) => !heard.includes(value.toLowerCase()));
    const look = looks.find(({ action, outcome }) =>
      values.some((value) => outcome.text.includes(value) && !action.text.includes(value)),
    );
    if (!look) continue;
    const known = sources.get(look.action.name);
    if (known) known.args.push(arg);
    else sources.set(look.action.name, { look, args: [arg] });
  }
  return [...sources.values()];
}

function answersIn(deeds: readonly Step[]): string[] {
  const replies = deeds.filter(({ action }) => action.kind === 'reply').slice(-mostAnswers);
  return replies.map(({ outcome }) => outcome.text.slice(0, answerChars));
}

/** The telling values of an argument, those inside lists and records too. */
function valuesIn(given: string): string[] {
  const value = /^[[{]/.test(given) ? parseJson(given) : given;
  return leavesOf(value)
    .slice(0, mostValues)
    .filter((leaf) => telling.test(leaf));
}

function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [];
}
