import type { Insight } from '@whetstone/contracts';

import { clip } from '../bounded-text.js';
import { generalise } from '../generalise.js';
import type { Step } from '../read-steps.js';
import { quote, type RunReading, tasksLike } from '../run-reading.js';
import {
  askedThings,
  isRequest,
  isUnanswerable,
  lackedThings,
  leavesOpen,
  namesThing,
  sentencesOf,
} from '../talk/conversation.js';
import { exampleOf } from './example-of.js';
import { statedRules } from './rule-sentences.js';

/** Rules that the agent stated in a run that succeeded: they held. */
export function ruleLesson(run: RunReading): Insight | undefined {
  const replies = run.deeds.filter(({ action }) => action.kind === 'reply');
  const rules = statedRules(replies, run.names, 2);
  const [first] = rules;
  if (first === undefined) return undefined;
  return {
    kind: 'strategy',
    title: clip(`Rule that held: ${first.text}`, 160),
    ...tasksLike(run),
    content: `See whether the case falls under this, which held in a run that succeeded: ${rules.map(({ text }) => `“${text}”`).join(' ')}`,
    steps: [],
    polarity: 'success',
    evidence: rules.map(({ step }) => step.turn),
    confidence: run.judged ? 0.35 : 0.55,
  };
}

/** Asking again for what the user has said they have not got; with the look-up that gives it where the run shows one. */
export function askingLesson(run: RunReading): Insight | undefined {
  const first = run.deeds.findIndex(isUnanswerable);
  if (first < 0) return undefined;
  const after = run.deeds.slice(first + 1);
  const lacked = new Set(run.deeds.slice(first).flatMap((step) => [...lackedThings(step)]));
  const again = after.filter((step) => isUnanswerable(step) || asksForOneOf(step, lacked));
  const looked = run.deeds.some(({ action }) => action.kind === 'tool');
  if (again.length === 0 || (again.length === 1 && looked && !again.some(isUnanswerable))) return undefined;
  const giver = giverOf(run, lacked);
  const times = again.length === 1 ? 'once more' : `${again.length} more times`;
  return {
    kind: 'pitfall',
    title: 'Do not keep asking for what the user has not got',
    appliesWhen: 'the user does not know an id or a detail that the agent asks for',
    content: `The user had said that they did not have what the agent asked for, and the agent asked ${times}${looked ? '' : ' and looked nothing up'}; the run failed. ${giver ?? 'Take what the user can give and look the rest up.'}`,
    steps: [],
    polarity: 'failure',
    evidence: again.slice(-6).map(({ turn }) => turn),
    confidence: 0.5,
  };
}

function asksForOneOf(step: Step, things: ReadonlySet<string>): boolean {
  return [...askedThings(step)].some((thing) => things.has(thing));
}

const mostThings = 5;
/** Who somebody is cannot be looked up from what they ask about. */
const oneself = /^(?:user|account|customer|client|member|patient|guest|employee)$/;

/** A look-up whose result has a field for the very thing. */
function giverOf({ deeds }: RunReading, things: ReadonlySet<string>): string | undefined {
  for (const thing of [...things].filter((name) => !oneself.test(name)).slice(0, mostThings)) {
    const field = new RegExp(`"${thing}(?:s|_?(?:id|number|code)s?)"\\s?:`, 'i');
    const look = deeds.find(
      ({ action, role, outcome }) =>
        action.kind === 'tool' &&
        role === 'look' &&
        field.test(outcome.text) &&
        !Object.keys(action.args).some((arg) => namesThing(arg, new Set([thing]))),
    );
    if (look) return `\`${look.action.name}\` shows the ${thing}s: look there instead of asking.`;
  }
  return undefined;
}

/** Without tools the answer itself is the deed: the last one that said something. */
export function replyStrategy(run: RunReading): Insight | undefined {
  const replies = run.deeds.filter(({ action }) => action.kind === 'reply');
  const decisive = replies.findLast((step) => !isRequest(step) && settling(step).join(' ').length > 60);
  if (!decisive) return undefined;
  const sentences = settling(decisive).map((sentence) => generalise(sentence, run.names));
  const [first = ''] = sentences;
  return {
    kind: 'strategy',
    title: clip(`Answer that settled it: ${first}`, 160),
    ...tasksLike(run),
    content: clip(`Answer to this effect, it settled the matter: ${quote(sentences.slice(0, 3).join(' '), 420)}`, 480),
    steps: [],
    example: exampleOf(decisive.action),
    polarity: 'success',
    evidence: [decisive.turn],
    confidence: run.judged ? 0.3 : 0.5,
  };
}

function settling({ action }: Step): string[] {
  return sentencesOf(action.text).filter((sentence) => !leavesOpen(sentence));
}

/** Without tools the reply is what failed; how the user took it tells most. */
export function replyFailureLesson(run: RunReading): Insight | undefined {
  if (run.deeds.some(({ action }) => action.kind !== 'reply')) return undefined;
  const last = run.deeds.findLast((step) => !isRequest(step) && sentencesOf(step.action.text).length > 0);
  if (!last) return undefined;
  const said = generalise(sentencesOf(last.action.text).slice(0, 2).join(' '), run.names);
  const heard = generalise(last.outcome.text.slice(0, 200), run.names);
  return {
    kind: 'pitfall',
    title: clip(`Reply that did not settle it: ${said}`, 160),
    ...tasksLike(run),
    content: clip(
      `The run failed with this reply: ${quote(said, 220)}${heard === '' ? '' : ` What came back: ${quote(heard)}`}`,
      480,
    ),
    steps: [],
    polarity: 'failure',
    evidence: [last.turn],
    confidence: 0.35,
  };
}
