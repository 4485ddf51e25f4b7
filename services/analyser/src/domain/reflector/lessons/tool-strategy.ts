import type { Insight } from '@whetstone/contracts';

import { clip, listed } from '../bounded-text.js';
import { isConsent, isUnanswerable } from '../conversation.js';
import type { Step } from '../read-steps.js';
import { exampleOf, type RunReading, tasksLike } from '../run-reading.js';
import { statedRules } from './rule-sentences.js';

const shownCalls = 10;

/** The order of tools that led to a success: what was looked up, what was agreed, what was done, or that nothing was. */
export function toolStrategy(run: RunReading): Insight | undefined {
  const calls = run.deeds.filter(({ action }) => action.kind === 'tool');
  const clean = calls.filter(({ outcome }) => outcome.kind !== 'error');
  const last = clean.at(-1);
  if (!last) return undefined;

  const writes = clean.filter(({ role }) => role === 'change');
  const talks = run.deeds.some(({ action }) => action.kind === 'reply');
  const words = writes.length > 0 ? writingWords(run, clean, writes) : readingWords(run, clean);
  return {
    kind: 'strategy',
    title: clip(words.title, 160),
    ...tasksLike(run),
    content: words.content,
    steps: stepsOf(run, clean),
    ...exampleFor(talks ? writes : clean, last),
    polarity: 'success',
    evidence: clean.slice(-8).map(({ turn }) => turn),
    confidence: run.judged ? 0.45 : 0.7,
  };
}

/** The calls themselves (of an agent that talks to a person the writes), or the look-up that answered; of a hand-over or a computation another run can reuse nothing. */
function exampleFor(calls: readonly Step[], last: Step): { example?: string } {
  if (calls.length > 0) return { example: exampleOf(...lastOfEach(calls).map(({ action }) => action)) };
  const reusable = last.role === 'look' && !/calc|comput/i.test(last.action.name);
  return reusable ? { example: exampleOf(last.action) } : {};
}

interface Words {
  title: string;
  content: string;
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
      ? `Read the records first (${counted(looks)})${consent ? ', tell the user what will be done and wait for a yes,' : ''} and only then call ${counted(writes)}.`
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

function readingWords(run: RunReading, calls: readonly Step[]): Words {
  const handOver = calls.findLast(({ role }) => role === 'hand-over');
  const looks = calls.filter(({ role }) => role !== 'hand-over');
  const replies = run.deeds.filter(({ action }) => action.kind === 'reply');
  const [rule] = statedRules(replies, run.names, 1);
  const looked = looks.length > 0 ? `Check with ${counted(looks)} and change nothing` : 'Change nothing';
  const ending = handOver ? `; then hand over with \`${handOver.action.name}\`` : '';
  if (rule !== undefined) {
    return {
      title: `Check ${looks.length > 0 ? `with ${named(looks)} ` : ''}and decline: ${rule.text}`,
      content: `${looked}${ending}: declining was right. What the agent held to: “${rule.text}”`,
    };
  }
  if (handOver)
    return {
      title: `Hand over with \`${handOver.action.name}\` and change nothing`,
      content: `${looked}${ending}: that was the right end.`,
    };
  return {
    title: capitalisedOrder([`answer from ${named(looks)}`]),
    content: `Answer from ${counted(looks)}; nothing needs to be changed.`,
  };
}

/** The user had no id, and a look-up found it. */
function foundId(before: readonly Step[]): string[] {
  const asked = before.findIndex(isUnanswerable);
  const found =
    asked < 0 ? undefined : before.slice(asked).find(({ action, role }) => action.kind === 'tool' && role === 'look');
  return found ? [`What the user could not give was found with \`${found.action.name}\`.`] : [];
}

const consentStep = "Say what will be done and get the user's yes";

/** The calls in order, repeats counted, with the user's yes where it came right before a write. */
function stepsOf(run: RunReading, calls: readonly Step[]): string[] {
  const clean = new Set(calls);
  const lines: { text: string; count: number }[] = [];
  let agreed = false;
  for (const step of run.deeds) {
    if (lines.length > shownCalls) break;
    if (step.action.kind === 'reply') agreed = isConsent(step);
    if (!clean.has(step)) continue;
    if (agreed && step.role === 'change') lines.push({ text: consentStep, count: 1 });
    agreed = false;
    const text = `\`${step.action.name}\``;
    const last = lines.at(-1);
    if (last?.text === text) last.count++;
    else lines.push({ text, count: 1 });
  }
  return lines.length > 1 ? lines.map(({ text, count }) => (count > 1 ? `${text} (${count} times)` : text)) : [];
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
  return listed([...counts].slice(0, 5).map(([name, count]) => (count > 1 ? `\`${name}\` ×${count}` : `\`${name}\``)));
}

function capitalisedOrder(order: readonly string[]): string {
  const text = order.length > 1 ? `${order.slice(0, -1).join(', ')}, then ${order.at(-1)}` : order.join('');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
