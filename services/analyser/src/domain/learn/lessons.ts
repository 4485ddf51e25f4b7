import type { Insight } from '@whetstone/contracts';
import {
  type Action,
  clip,
  identifyingValues,
  jaccard,
  listed,
  maskText,
  objectsOf,
  oneLine,
} from '@whetstone/reading';

import { phrases, wordsIn } from './phrases.js';
import type { RunReading } from './run.js';
import type { Step } from './steps.js';

/** Of an insight's example: about what an agent can read at a glance. */
export const exampleChars = 1_500;
const titleChars = 160;
const most = { deeds: 4, calls: 6, lookedBack: 24 };

/** Of what is told of a conversation. */
const talkChars = 300;
const fewestWords = 6;
/** An amount as it stands beside a currency that nobody names. */
const price = /\b\d{1,9}[.,]\d{2}\b/g;

interface Draft extends Pick<Insight, 'title' | 'content' | 'rule' | 'confidence' | 'errorClass'> {
  kind?: Insight['kind'];
  scope?: Insight['scope'];
  steps?: string[];
  /** What the lesson is about: its example, where the run did not fail, and its evidence, unless that is said. */
  deeds?: readonly Step[];
  evidence?: readonly Step[];
}

export function insightOf({ outcome }: RunReading, draft: Draft): Insight {
  const { title, deeds = [], evidence = deeds, ...rest } = draft;
  const shown = outcome === 'failure' ? [] : deeds;
  return {
    kind: 'strategy',
    scope: 'task',
    steps: [],
    ...rest,
    title: clip(title, titleChars),
    ...exampleOf(shown.map(({ action }) => action)),
    polarity: outcome === 'failure' ? 'failure' : 'success',
    evidence: [...new Set(evidence.map(({ turn }) => turn))],
    actions: [...new Set(deeds.map(({ form }) => form))],
    effects: [...new Set(shown.flatMap(({ effects }) => effects))],
  };
}

/** Half a script is no script: where actions are too long together, the later ones stay, whole; one that is too long is none. */
function exampleOf(actions: readonly Action[]): { example?: string } {
  let example = '';
  for (const { text } of [...actions].reverse()) {
    const longer = example === '' ? text.trim() : `${text.trim()}\n${example}`;
    if (longer.length > exampleChars) break;
    example = longer;
  }
  return example === '' ? {} : { example };
}

/** The program, tool or kind of statement, by its name: what the environment wrote is not quoted. */
export function nameOf({ action }: Step): string {
  const [object] = objectsOf(action);
  if (action.kind === 'sql') return `the ${action.verb.toUpperCase()}`;
  return oneLine(action.kind === 'command' ? (object ?? action.verb) : action.verb).slice(0, 60);
}

/** What a success rests on: every one that did anything has such a lesson. */
export function strategyLesson(run: RunReading): Insight | undefined {
  const acts = run.deeds.filter(({ role }) => role !== 'talk');
  const clean = acts.filter(({ outcome }) => outcome.kind !== 'error');
  const calls = clean.filter(({ action }) => isCall(action));
  const deeds = calls.length > clean.length / 2 ? callsOf(run, clean) : decisiveSteps(clean.length > 0 ? clean : acts);
  if (deeds.length === 0) return lookedOnly(run, calls) ?? replyLesson(run);
  const names = [...new Set(deeds.flatMap(({ action }) => objectsOf(action).slice(0, 3)))].slice(0, 6);
  return insightOf(run, {
    title: `What worked: ${listed(names)}`,
    content: `It took ${listed(names)}.`,
    rule: calls.length > clean.length / 2 ? 'calls' : 'deeds',
    confidence: run.judged ? 0.5 : 0.8,
    deeds: run.answer ? [...deeds, run.answer] : deeds,
    ...(calls.length > 1 ? { steps: orderOf(calls) } : {}),
  });
}

function isCall({ kind }: Action): boolean {
  return kind === 'call' || kind === 'http';
}

/** The way of an agent; of one that talks to a person none where it changed nothing, and of what it looked up each kind once. */
function callsOf(run: RunReading, clean: readonly Step[]): Step[] {
  const talks = run.deeds.some(({ role }) => role === 'talk');
  const acts = clean.filter((step) => step !== run.handover);
  if (talks && !acts.some(({ role }) => role === 'change')) return [];
  const kindOf = ({ role, action, form }: Step) => (talks && role === 'look' ? action.verb : form);
  return [...new Map(acts.map((step) => [kindOf(step), step])).values()].slice(-most.calls);
}

function orderOf(calls: readonly Step[]): string[] {
  const names = calls.map(({ action }) => action.verb);
  return names.filter((name, at) => name !== names[at - 1]).slice(-10);
}

/** A request that was looked into and not carried out: that was right. */
function lookedOnly(run: RunReading, calls: readonly Step[]): Insight | undefined {
  const looks = calls.filter((step) => step !== run.handover);
  if (looks.length === 0) return undefined;
  const names = [...new Set(looks.map(({ action }) => action.verb))].slice(-4);
  const by = run.handover ? ` It ended with ${nameOf(run.handover)}.` : '';
  return insightOf(run, {
    title: `Nothing was changed, after ${listed(names)}`,
    content: `Nothing was changed.${by}`,
    rule: 'looked',
    confidence: run.judged ? 0.4 : 0.6,
    deeds: [...new Map(looks.map((step) => [step.action.verb, step])).values()].slice(-3),
  });
}

/** Words were all there was: an answer, a label, a talk. */
function replyLesson(run: RunReading): Insight | undefined {
  const { answer } = run;
  const rule = ruleSentence(run.deeds);
  const last = answer ?? run.deeds.findLast(({ action }) => action.kind === 'reply');
  const replies = run.deeds.filter(({ action }) => action.kind === 'reply');
  if (!answer && replies.length > 1) return rule ? undefined : talkLesson(run, replies);
  // What only announces something, of which the rest was advice, has said nothing.
  if (!last || /^\p{Lu}[^:\n]{0,40}:$/u.test(last.action.text.trim())) return undefined;
  return insightOf(run, {
    title: answer ? 'The right answer' : 'What was answered',
    content: rule?.text ?? 'Answered directly, without looking anything up.',
    rule: 'reply',
    confidence: run.judged ? 0.4 : 0.7,
    deeds: [last],
    evidence: [last, ...(rule ? [rule.step] : [])],
  });
}

/** Of a conversation what was stated at most length, without its questions and without anything of the one case. */
function talkLesson(run: RunReading, replies: readonly Step[]): Insight | undefined {
  const stated = replies.map((step) => ({ step, text: statementsIn(step.action.text) }));
  const { step, text } = stated.reduce((most, next) => (next.text.length > most.text.length ? next : most));
  if (text.split(' ').length < fewestWords) return undefined;
  return insightOf(run, {
    title: 'What was answered',
    content: clip(maskText(text, () => false).replace(price, '<amount>'), talkChars),
    rule: 'talk',
    confidence: run.judged ? 0.35 : 0.5,
    evidence: [step],
  });
}

/** A rule that the agent stated in a conversation, and that held. */
export function ruleLesson(run: RunReading): Insight | undefined {
  const talks = run.deeds.filter(({ action }) => isCall(action) || action.kind === 'reply').length > 1;
  const rule = talks ? ruleSentence(run.deeds) : undefined;
  return (
    rule &&
    insightOf(run, {
      title: `Rule that held: ${rule.text}`,
      content: rule.text,
      rule: 'rule',
      confidence: run.judged ? 0.35 : 0.5,
      evidence: [rule.step],
    })
  );
}

/**
 * The deeds that a success with commands, queries, code or edits rests on. Where the run ends with a look after changes, both
 * count: the changes, and how they were confirmed.
 */
function decisiveSteps(clean: readonly Step[]): Step[] {
  const kept = clean.slice(-1);
  const changes = clean.slice(0, -1).filter(({ role }) => role === 'change');
  for (const step of changes.slice(-most.lookedBack).reverse()) {
    if (kept.length === most.deeds) break;
    if (!kept.some((later) => areFormsOfOne(step, later))) kept.push(step);
  }
  return kept.reverse();
}

/** The same change with other options: of several forms only the last counts. A look at what was changed is no form of it. */
function areFormsOfOne(earlier: Step, later: Step): boolean {
  return (
    earlier.role === later.role &&
    earlier.action.verb === later.action.verb &&
    jaccard(new Set(earlier.form.split(' ')), new Set(later.form.split(' '))) >= 0.5
  );
}

interface StatedRule {
  text: string;
  /** The reply that states it. */
  step: Step;
}

/** A sentence that says what may or may not be: it holds for others as well. */
const modal = phrases(
  'cannot, can only, must, may not, only if|when, unless, not allowed|possible|permitted|eligible, nonrefundable, non refundable',
);
/** About this one talk: it leans on what was said before, or speaks of the two who talk. */
const aboutThisTalk = phrases(
  '^ therefore|so|thus|this|that|these|it|since|as, i|im|ive|me|my|your|yours|please, would you, you said|want|would',
);
const quotesOrAsks = [...'?“”"<>…'];
const length = { fewest: 6, most: 40 };

/**
 * A rule that the agent stated in its replies, without anything of the one case. In a run that succeeded it held.
 */
function ruleSentence(deeds: readonly Step[]): StatedRule | undefined {
  for (const step of deeds) {
    if (step.action.kind !== 'reply') continue;
    for (const sentence of sentencesIn(step.action.text)) {
      const count = sentence.split(' ').length;
      if (count < length.fewest || count > length.most || quotesOrAsks.some((mark) => sentence.includes(mark)))
        continue;
      const words = wordsIn(sentence);
      if (modal(words) && !aboutThisTalk(words) && identifyingValues(sentence).length === 0)
        return { text: sentence, step };
    }
  }
  return undefined;
}

/** What a reply says, without what it asks. */
function statementsIn(text: string): string {
  return sentencesIn(text)
    .filter((sentence) => !sentence.endsWith('?'))
    .join(' ');
}

function sentencesIn(text: string): string[] {
  return oneLine(text.slice(0, 4_000).replace(/[*_#`]/g, ''))
    .split(/(?<=[.!?])\s+/)
    .map((sentence) => sentence.replace(/^(?:unfortunately|however|note that|also|but),? /i, ''))
    .map((sentence) => sentence.charAt(0).toUpperCase() + sentence.slice(1));
}
