import type { Insight } from '@whetstone/contracts';

import { clip, listed } from '../bounded-text.js';
import { isConsent, isUnanswerable } from '../conversation.js';
import type { Step } from '../read-steps.js';
import { exampleOf, type RunReading, tasksLike } from '../run-reading.js';
import { handOverReason } from './hand-over-reason.js';
import { statedRules } from './rule-sentences.js';

const shownCalls = 10;
const twoRulesChars = 240;

/** The order of tools that led to a success: what was looked up, what was agreed, what was done, or that nothing was. */
export function toolStrategy(run: RunReading): Insight | undefined {
  const calls = run.deeds.filter(({ action }) => action.kind === 'tool');
  const clean = calls.filter(({ outcome }) => outcome.kind !== 'error');
  const last = clean.at(-1);
  if (!last) return undefined;

  const writes = clean.filter(isChange);
  const talks = run.deeds.some(({ action }) => action.kind === 'reply');
  const { title, content, ...words } = writes.length > 0 ? writingWords(run, clean, writes) : readingWords(run, clean);
  return {
    kind: 'strategy',
    title: clip(title, 160),
    ...tasksLike(run),
    content,
    steps: stepsOf(run, clean),
    ...exampleFor(talks ? writes : clean, talks ? undefined : last),
    polarity: 'success',
    evidence: clean.slice(-8).map(({ turn }) => turn),
    confidence: words.isVague ? 0.25 : run.judged ? 0.45 : 0.7,
  };
}

/** The calls themselves, of an agent that talks to a person the writes; or the look-up that answered. */
function exampleFor(calls: readonly Step[], last: Step | undefined): { example?: string } {
  if (calls.length > 0) return { example: exampleOf(...lastOfEach(calls).map(({ action }) => action)) };
  const reusable = last?.role === 'look' && !/calc|comput/i.test(last.action.name);
  return reusable ? { example: exampleOf(last.action) } : {};
}

interface Words {
  title: string;
  content: string;
  /** It says what was done and not what decided it. */
  isVague?: boolean;
}

function isChange({ role }: Step): boolean {
  return role === 'change';
}

function writingWords(run: RunReading, calls: readonly Step[], writes: readonly Step[]): Words {
  const [firstWrite] = writes;
  const before = firstWrite ? run.deeds.slice(0, run.deeds.indexOf(firstWrite)) : [];
  const clean = new Set(calls);
  const looks = before.filter((step) => clean.has(step));
  const lastWord = before.findLast(({ action }) => action.kind === 'reply');
  const consent = lastWord !== undefined && isConsent(lastWord);
  const order = [
    ...(looks.length > 0 ? [`look up with ${named(looks)}`] : []),
    ...(consent ? ["get the user's yes"] : []),
    `call ${named(writes)}`,
  ];
  const content = [
    looks.length > 0
      ? `Read the records first (${named(looks)})${consent ? ', tell the user what will be done and wait for a yes,' : ''} and only then call ${counted(writes)}.`
      : directWords(writes, consent),
    ...foundId(before),
  ];
  return { title: capitalisedOrder(order), content: content.join(' ') };
}

function directWords(writes: readonly Step[], consent: boolean): string {
  const [only] = writes;
  const agreed = consent ? ' After the user had agreed,' : '';
  const given = only ? Object.keys(only.action.args).filter((key) => key !== 'argument') : [];
  if (writes.length === 1 && given.length > 0)
    return `One call did it:${agreed.toLowerCase()} ${named(writes)} with ${listed(given.map((key) => `\`${key}\``))}.`;
  return `It took, in this order,${agreed.toLowerCase()} ${counted(writes)}.`;
}

/** Nothing was changed: by which rule it was declined, why it was handed over, or what it was answered from. */
function readingWords(run: RunReading, calls: readonly Step[]): Words {
  const handOver = calls.findLast(({ role }) => role === 'hand-over');
  const looks = calls.filter(({ role }) => role !== 'hand-over');
  const replies = run.deeds.filter(({ action }) => action.kind === 'reply');
  const rules = declineRules(replies, run.names);
  const lookUp = looks.length > 0 ? `Look the case up first (${named(looks)})` : 'Look at the case first';
  if (rules.length > 0) {
    const ending = handOver ? `, change nothing and hand over with \`${handOver.action.name}\`` : ' and change nothing';
    return {
      title: `Decline where this holds: ${rules[0]}`,
      content: `${lookUp}. Where this holds, decline${ending}: ${rules.map((rule) => `“${rule}”`).join(' ')}`,
    };
  }
  if (handOver) {
    const { name } = handOver.action;
    const reason = handOverReason(handOver, run.names);
    if (reason === undefined)
      return {
        title: `Hand over with \`${name}\` and change nothing`,
        content: `${lookUp}. Handing over with \`${name}\` was the right end of this one, without any change before it.`,
        isVague: true,
      };
    return {
      title: `Hand over with \`${name}\`: ${reason}`,
      content: `${lookUp}. In a case like this change nothing and hand over with \`${name}\`: “${reason}”`,
    };
  }
  if (replies.length > 0)
    return {
      title: capitalisedOrder([`look up with ${named(looks)} and tell the user`]),
      content: `Looking up (${named(looks)}) and telling the user what the records say settled it, and nothing was changed. Change something only on a clear yes.`,
      isVague: true,
    };
  return {
    title: capitalisedOrder([`answer from ${named(looks)}`]),
    content: `Answer from ${counted(looks)}; nothing needs to be changed.`,
  };
}

/** A second rule where both are short. */
function declineRules(replies: readonly Step[], names: ReadonlySet<string>): string[] {
  const [first, second] = statedRules(replies, names, 2).map(({ text }) => text);
  if (first === undefined) return [];
  return second === undefined || first.length + second.length > twoRulesChars ? [first] : [first, second];
}

/** The user had no id, and a look-up found it. */
function foundId(before: readonly Step[]): string[] {
  const asked = before.findIndex(isUnanswerable);
  const found =
    asked < 0 ? undefined : before.slice(asked).find(({ action, role }) => action.kind === 'tool' && role === 'look');
  return found ? [`What the user could not give was found with \`${found.action.name}\`.`] : [];
}

const consentStep = "Say what will be done and get the user's yes";

/** The calls in order up to the last write, with the user's yes where it came right before a write. */
function stepsOf(run: RunReading, calls: readonly Step[]): string[] {
  const clean = new Set(calls);
  const lines: string[] = [];
  let agreed = false;
  const lastWrite = run.deeds.findLastIndex((step) => clean.has(step) && isChange(step));
  for (const step of lastWrite < 0 ? run.deeds : run.deeds.slice(0, lastWrite + 1)) {
    if (lines.length > shownCalls) break;
    if (step.action.kind === 'reply') agreed = isConsent(step);
    if (!clean.has(step)) continue;
    if (agreed && step.role === 'change') lines.push(consentStep);
    agreed = false;
    const text = `\`${step.action.name}\``;
    if (lines.at(-1) !== text) lines.push(text);
  }
  return lines.length > 1 ? lines : [];
}

/** The last call of each tool, of the last three. */
function lastOfEach(steps: readonly Step[]): Step[] {
  return [...new Map(steps.map((step) => [step.action.name, step])).values()].slice(-3);
}

function named(steps: readonly Step[]): string {
  return listed([...new Set(steps.map(({ action }) => `\`${action.name}\``))].slice(0, 4));
}

function counted(steps: readonly Step[]): string {
  const counts = new Map<string, number>();
  for (const { action } of steps) counts.set(action.name, (counts.get(action.name) ?? 0) + 1);
  const said = ([name, count]: [string, number]) =>
    count > 1 ? `\`${name}\` for each of them (${count} here)` : `\`${name}\``;
  return listed([...counts].slice(0, 5).map(said));
}

function capitalisedOrder(order: readonly string[]): string {
  const text = order.length > 1 ? `${order.slice(0, -1).join(', ')}, then ${order.at(-1)}` : order.join('');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
