import type { Insight } from '@whetstone/contracts';
import { type Action, clip, formatAdvice, jaccard, listed, maskText, objectsOf, oneLine } from '@whetstone/reading';

import { errorClassOf } from './error-classes.js';
import { ruleSentence, statementsIn } from './rule-sentence.js';
import type { RunReading } from './run.js';
import type { Step } from './steps.js';

/** Of an insight's example: about what an agent can read at a glance. */
export const exampleChars = 1_500;
const titleChars = 160;
const most = { deeds: 4, calls: 6, lookedBack: 24, between: 12 };

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

function insightOf({ outcome }: RunReading, draft: Draft): Insight {
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

interface Recovery {
  failed: Step;
  worked: Step;
  tries: number;
  /** What was looked up in between. */
  looked: readonly Step[];
}

/** An error and what got past it. Of several the last one of a known kind. */
export function recoveryLesson(run: RunReading): Insight | undefined {
  const found = recoveriesIn(run.deeds);
  const best = found.findLast(({ failed }) => failed.outcome.errorClass) ?? found.at(-1);
  if (!best) return undefined;
  const { failed, worked, tries, looked } = best;
  const error = errorClassOf(failed.outcome.errorClass?.id);
  const first = [...new Set(looked.map(({ action }) => action.verb))].slice(-2);
  const worker = nameOf(worked) === nameOf(failed) ? `${nameOf(worked)} with other arguments` : nameOf(worked);
  const way = first.length > 0 ? `${listed(first)} and then ${worker}` : worker;
  return insightOf(run, {
    kind: 'recovery',
    title: `After ${nameOf(failed)} failed because ${error.because}: ${way}`,
    content: `After ${nameOf(failed)} failed${tries > 1 ? ` ${tries} times` : ''} because ${error.because}, ${way} worked. ${error.advice}`,
    scope: 'error',
    rule: 'recovery',
    confidence: run.outcome === 'success' ? 0.75 : 0.4,
    deeds: [worked],
    evidence: [failed, worked],
    errorClass: error.id,
  });
}

/** The program, tool or kind of statement, by its name: what the environment wrote is not quoted. */
function nameOf({ action }: Step): string {
  const [object] = objectsOf(action);
  if (action.kind === 'sql') return `the ${action.verb.toUpperCase()}`;
  return oneLine(action.kind === 'command' ? (object ?? action.verb) : action.verb).slice(0, 60);
}

function recoveriesIn(deeds: readonly Step[]): Recovery[] {
  const acts = deeds.filter(({ role }) => role !== 'talk');
  const found: Recovery[] = [];
  for (const [at, failed] of acts.entries()) {
    if (failed.outcome.kind !== 'error') continue;
    const after = acts.slice(at + 1, at + 1 + most.between);
    const until = after.findIndex((step) => isWayPast(failed, step));
    const worked = after[until];
    if (!worked) continue;
    const between = after.slice(0, until);
    found.push({
      failed,
      worked,
      tries: 1 + between.filter(({ outcome }) => outcome.kind === 'error').length,
      looked: between.filter(({ role, outcome }) => role === 'look' && outcome.kind === 'ok'),
    });
  }
  return found;
}

/** The same tool or the same kind of thing, done otherwise, and it went through. */
function isWayPast(failed: Step, step: Step): boolean {
  // What nothing came back of is no evidence.
  const went = step.outcome.kind === 'ok' || step.outcome.kind === 'silent';
  if (!went || step.form === failed.form || step.action.kind !== failed.action.kind) return false;
  if (step.action.verb === failed.action.verb) return true;
  const missing = failed.outcome.errorClass?.id;
  return step.action.kind === 'command' && (missing === 'missing-program' || missing === 'bad-option');
}

/** Fences and back-ticks that the environment took for part of the action, where the bare action fared better or never came. */
export function formatLesson(run: RunReading): Insight | undefined {
  const dressed = run.deeds.filter((step) => step.dressed && step.outcome.kind === 'error' && isAboutForm(step));
  const [first] = dressed;
  if (!first) return undefined;
  const bare = run.deeds.find((step) => step.turn > first.turn && !step.dressed && step.outcome.kind !== 'error');
  if (!bare && dressed.length < 2) return undefined;
  return insightOf(run, {
    kind: bare ? 'recovery' : 'pitfall',
    title: 'Send the bare action',
    content: formatAdvice,
    scope: 'format',
    rule: 'format',
    confidence: bare ? 0.7 : 0.5,
    evidence: [...dressed.slice(0, 4), ...(bare ? [bare] : [])],
  });
}

function isAboutForm({ outcome: { error = '', errorClass } }: Step): boolean {
  return error.includes('`') || ['syntax', 'missing-program', 'unknown-action'].includes(errorClass?.id ?? '');
}

/** A failure that ended in an error: what went wrong, in our words. */
export function obstacleLesson(run: RunReading): Insight | undefined {
  const last = run.deeds.findLast(({ role, outcome }) => role !== 'talk' && outcome.kind !== 'unknown');
  if (last?.outcome.kind !== 'error') return undefined;
  const error = errorClassOf(last.outcome.errorClass?.id);
  return insightOf(run, {
    kind: 'pitfall',
    title: `A run ended when ${nameOf(last)} failed because ${error.because}`,
    content: `A run ended when ${nameOf(last)} failed because ${error.because}. ${error.advice}`,
    rule: 'obstacle',
    confidence: 0.5,
    deeds: [last],
    errorClass: error.id,
  });
}

/** The same thing again and again, to no avail. */
export function loopLesson(run: RunReading): Insight | undefined {
  const repeats = run.deeds.filter((step) => step.repeats && step.role !== 'talk');
  const last = repeats.at(-1);
  if (!last || repeats.length < 2) return undefined;
  return insightOf(run, {
    kind: 'pitfall',
    title: `Repeating ${nameOf(last)} changed nothing`,
    content: `Repeating ${nameOf(last)} with the same arguments changed nothing. After two tries, do something else.`,
    rule: 'loop',
    confidence: 0.4,
    deeds: [last],
  });
}
