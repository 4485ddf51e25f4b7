import type { Insight } from '@whetstone/contracts';
import {
  type Action,
  clip,
  identifyingValues,
  isStopWord,
  jaccard,
  listed,
  maskText,
  normalForm,
  objectsOf,
  oneLine,
} from '@whetstone/reading';

import { phrases, wordsIn } from './phrases.js';
import type { RunReading } from './run.js';
import type { Step } from './steps.js';

/** Maximum length of an example. */
export const exampleChars = 1_500;
const titleChars = 160;
const max = { deeds: 8, calls: 6, lookback: 24 };

const conversationChars = 300;
const minWords = 6;
/** An amount without a currency. */
const price = /\b\d{1,9}[.,]\d{2}\b/g;

interface Draft extends Pick<Insight, 'title' | 'content' | 'rule' | 'confidence' | 'errorClass'> {
  kind?: Insight['kind'];
  scope?: Insight['scope'];
  steps?: string[];
  /** Steps the lesson is about: its example, unless the run failed, and its default evidence. */
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

/** As many whole actions as fit, the latest ones first: a truncated script does not run. */
function exampleOf(actions: readonly Action[]): { example?: string } {
  let example = '';
  for (const { text } of [...actions].reverse()) {
    const longer = example === '' ? text.trim() : `${text.trim()}\n${example}`;
    if (longer.length > exampleChars) break;
    example = longer;
  }
  return example === '' ? {} : { example };
}

/** Names the program, tool or kind of statement, never quoting the environment. */
export function nameOf({ action }: Step): string {
  if (action.kind === 'sql') return `the ${action.verb.toUpperCase()}`;
  if (action.kind !== 'command') return oneLine(action.verb).slice(0, 60);
  const [program = action.verb] = objectsOf(action);
  return /\p{L}/u.test(program) && !shellKeywords.has(program) ? oneLine(program).slice(0, 60) : 'a shell command';
}

/** The first word of a loop or branch that cannot be parsed. */
const shellKeywords = new Set('for while until if case select function'.split(' '));

/** What made the run succeed. Every successful run that did something has one. */
export function strategyLesson(run: RunReading): Insight | undefined {
  const steps = run.deeds.filter(({ role }) => role !== 'talk');
  const clean = steps.filter(({ outcome }) => outcome.kind !== 'error');
  const calls = clean.filter(({ action }) => isCall(action));
  // If all failed, the run succeeded by the last one, unless it had more to say.
  const last = run.deeds.at(-1)?.role === 'talk' ? [] : steps;
  const deeds =
    calls.length > clean.length / 2 ? callsOf(run, clean) : decisiveSteps(run, clean.length > 0 ? clean : last);
  if (deeds.length === 0)
    return lookupLesson(run, calls) ?? (steps.length > clean.length ? undefined : replyLesson(run));
  const names = [...new Set(deeds.flatMap(({ action }) => objectsOf(action).slice(0, 3)))].slice(0, 6);
  return insightOf(run, {
    title: `What worked: ${listed(names)}`,
    content: `The run used ${listed(names)}.`,
    rule: calls.length > clean.length / 2 ? 'calls' : 'deeds',
    confidence: run.judged ? 0.5 : 0.8,
    deeds: run.answer ? [...deeds, run.answer] : deeds,
    ...(calls.length > 1 ? { steps: orderOf(calls) } : {}),
  });
}

function isCall({ kind }: Action): boolean {
  return kind === 'call' || kind === 'http';
}

/** The calls to show. In a conversation: none if nothing was changed, and one lookup per tool. */
function callsOf(run: RunReading, clean: readonly Step[]): Step[] {
  const talks = run.deeds.some(({ role }) => role === 'talk');
  const steps = clean.filter((step) => step !== run.handover);
  if (talks && !steps.some(({ role }) => role === 'change')) return [];
  const kindOf = ({ role, action, form }: Step) => (talks && role === 'look' ? action.verb : form);
  return [...new Map(steps.map((step) => [kindOf(step), step])).values()].slice(-max.calls);
}

function orderOf(calls: readonly Step[]): string[] {
  const names = calls.map(({ action }) => action.verb);
  return names.filter((name, at) => name !== names[at - 1]).slice(-10);
}

/** The run succeeded by looking things up and changing nothing. */
function lookupLesson(run: RunReading, calls: readonly Step[]): Insight | undefined {
  const looks = calls.filter((step) => step !== run.handover);
  if (looks.length === 0) return undefined;
  const names = [...new Set(looks.map(({ action }) => action.verb))].slice(-4);
  const handover = run.handover ? ` The conversation ended with ${nameOf(run.handover)}.` : '';
  return insightOf(run, {
    title: `Nothing was changed after ${listed(names)}`,
    content: `That run changed nothing.${handover}`,
    rule: 'looked',
    confidence: run.judged ? 0.4 : 0.6,
    deeds: [...new Map(looks.map((step) => [step.action.verb, step])).values()].slice(-3),
  });
}

/** The run consisted of words only: an answer, a label or a conversation. */
function replyLesson(run: RunReading): Insight | undefined {
  const { answer } = run;
  const rule = ruleSentence(run.deeds);
  const last = answer ?? run.deeds.findLast(({ action }) => action.kind === 'reply');
  const replies = run.deeds.filter(({ action }) => action.kind === 'reply');
  if (!answer && replies.length > 1)
    return rule ? undefined : (conversationLesson(run, replies) ?? scriptLesson(run, replies));
  // Only a heading is left once earlier advice has been removed.
  if (!last || /^\p{Lu}[^:\n]{0,40}:$/u.test(last.action.text.trim())) return undefined;
  return insightOf(run, {
    title: answer ? 'The correct answer' : 'The reply that worked',
    content: rule?.text ?? 'The agent answered directly, without looking anything up.',
    rule: 'reply',
    confidence: run.judged ? 0.4 : 0.7,
    deeds: [last],
    evidence: [last, ...(rule ? [rule.step] : [])],
  });
}

/** The longest statement of a conversation, without questions and with the values of its case masked. */
function conversationLesson(run: RunReading, replies: readonly Step[]): Insight | undefined {
  const stated = replies.map((step) => ({ step, text: isRecord(step) ? '' : statementsIn(step.action.text) }));
  const { step, text } = stated.reduce((longest, next) => (next.text.length > longest.text.length ? next : longest));
  if (text.split(' ').length < minWords) return undefined;
  return insightOf(run, {
    title: 'The reply that worked',
    content: clip(maskText(text, () => false).replace(price, '<amount>'), conversationChars),
    rule: 'talk',
    confidence: run.judged ? 0.35 : 0.5,
    evidence: [step],
  });
}

/** Decisions in a language that nobody knows, such as a machine tool's, which belong to their own task. */
function scriptLesson(run: RunReading, replies: readonly Step[]): Insight | undefined {
  if (replies.some((step) => !isRecord(step) && words(step.action.text).some(isStopWord))) return undefined;
  return insightOf(run, {
    title: 'What was sent',
    content: 'The run succeeded with this.',
    rule: 'reply',
    confidence: run.judged ? 0.35 : 0.6,
    deeds: replies.slice(-max.deeds),
  });
}

/** `{"outil": "panier.valider"}` */
function isRecord({ action }: Step): boolean {
  return /^[[{].*[\]}]$/s.test(action.text.trim());
}

function words(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}']+/gu) ?? [];
}

/** A rule that the agent stated in a successful conversation. */
export function ruleLesson(run: RunReading): Insight | undefined {
  const talks = run.deeds.filter(({ action }) => isCall(action) || action.kind === 'reply').length > 1;
  const rule = talks ? ruleSentence(run.deeds) : undefined;
  return (
    rule &&
    insightOf(run, {
      title: `Rule: ${rule.text}`,
      content: rule.text,
      rule: 'rule',
      confidence: run.judged ? 0.35 : 0.5,
      evidence: [rule.step],
    })
  );
}

/**
 * The last step and the changes before it: if a run ends with a check, both the changes and the check matter. A change to
 * something that was looked up first, such as a process by its number, comes with the lookup.
 */
function decisiveSteps({ intent, deeds }: RunReading, clean: readonly Step[]): Step[] {
  const kept = clean.slice(-1);
  const changes = clean.slice(0, -1).filter(({ role }) => role === 'change');
  for (const step of changes.slice(-max.lookback).reverse()) {
    if (kept.length === max.deeds) break;
    const [next] = kept.slice(-1);
    if (!next || !isEarlierAttempt(step, next)) kept.push(step);
  }
  const lookups = new Set<Step>();
  // An error may name an id, too: that of a lock, for example.
  const shown = new Map(kept.map((step) => [step, withoutLookedUp(step, earlier(deeds, step), intent, lookups)]));
  const room = max.deeds - kept.length;
  for (const step of [...lookups].reverse().slice(0, room)) if (!shown.has(step)) shown.set(step, step);
  return clean.flatMap((step) => shown.get(step) ?? []);
}

function earlier(steps: readonly Step[], step: Step): Step[] {
  const at = steps.indexOf(step);
  return steps.slice(Math.max(0, at - max.lookback), at);
}

/** Neither part of a path nor a file name nor an option. */
const plainWord = /(?<![\p{L}\p{N}_./-])[\p{L}\p{N}][\p{L}\p{N}_-]*(?:\.\d+)*(?![\p{L}\p{N}_/]|\.[\p{L}\p{N}])/gu;
/** `42`, `512.40`, `a1b9f3c`, `i-0a1b2`; neither `folder1` nor `web-2`. */
const identifier = /^\d[\d.]*\d$|^(?!\p{L}+[_-]?\d{1,2}$)(?=.*\p{L})(?=.*\d).{5,}$/u;

/** “The largest file”, “the last message”: which one that is has to be looked up each time. */
const pointing =
  /(?<!\p{L})(?:most|least|last|first|latest|\p{L}{3,}est|\p{L}{3,}ste[nrms]?|(?:le|la|les|el|los|las) (?:plus|más)|últim[oa]s?|dernier\p{L}*)(?!\p{L})/iu;

/** A part of a path, too, but no option. */
const namePart = /(?<![\p{L}\p{N}_.@-])[\p{L}\p{N}_](?:[\p{L}\p{N}_.@-]*[\p{L}\p{N}_])?/gu;

/** The step without the ids that earlier steps found out and the task does not name: they are others the next time. */
export function withoutLookedUp(
  step: Step,
  before: readonly Step[],
  intent: string,
  lookups: Set<Step> = new Set(),
): Step {
  const { action, role } = step;
  const isCommand = action.kind === 'command' || action.kind === 'sql';
  if (role !== 'change' || !isCommand) return step;
  const isPointed = pointing.test(intent);
  const word = isPointed ? namePart : plainWord;
  const idsIn = (text: string) =>
    new Set((text.match(word) ?? []).filter((found) => isPointed || identifier.test(found)));
  const ids = idsIn(action.text);
  for (const id of idsIn(`${intent}\n${before.map((one) => one.action.text).join('\n')}`)) ids.delete(id);
  if (ids.size === 0) return step;
  const found = new Set<string>();
  for (const lookup of before) {
    const results = [...idsIn(lookup.outcome.text)].filter((id) => ids.has(id));
    if (results.length > 0 && lookup.outcome.kind !== 'error' && lookup.role !== 'talk') lookups.add(lookup);
    for (const id of results) found.add(id);
  }
  const masked = { ...action, text: action.text.replace(word, (one) => (found.has(one) ? '…' : one)) };
  return { ...step, action: masked, form: normalForm(masked) };
}

/**
 * The same change with other options right before, of which only the last counts. A check of a change is no attempt at it, nor
 * is what changes something else: half of a transfer is worse than one step too many.
 */
function isEarlierAttempt(earlier: Step, next: Step): boolean {
  const tablesOf = ({ action }: Step) => (action.kind === 'sql' ? objectsOf(action).join() : '');
  return (
    earlier.role === next.role &&
    earlier.action.verb === next.action.verb &&
    tablesOf(earlier) === tablesOf(next) &&
    jaccard(new Set(earlier.form.split(' ')), new Set(next.form.split(' '))) >= 0.5 &&
    (earlier.action.kind === 'code' || !hasOwnOperand(earlier, next))
  );
}

/** An account, a port, a sub-command; no option. */
const operand = /^["']?[./~]*[\p{L}\p{N}][\p{L}\p{N}./~_:@-]*["']?$/u;
/** After these a word is a program. */
const starts = new Set(['|', '||', '&&', ';', '-exec', '-execdir', '-ok', 'xargs']);

function hasOwnOperand({ form }: Step, other: Step): boolean {
  const known = new Set(other.form.split(' ').map(bare));
  return form
    .split(' ')
    .some((word, at, all) => operand.test(word) && !known.has(bare(word)) && !starts.has(all[at - 1] ?? ';'));
}

/** Days, 14 or +14 of them. */
function bare(word: string): string {
  return word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
}

interface StatedRule {
  text: string;
  /** The reply that states the rule. */
  step: Step;
}

/** Says what is or is not allowed, so it holds in general. */
const modal = phrases(
  'cannot, can only, must, may not, only if|when, unless, not allowed|possible|permitted|eligible, nonrefundable, non refundable',
);
/** Refers to this conversation or to the people in it. */
const aboutThisCase = phrases(
  '^ therefore|so|thus|this|that|these|it|since|as|he|she|they, i|im|ive|me|my|your|yours|please, would you, you said|want|would, the other|others|first|second|last',
);
const quotesOrAsks = [...'?“”"<>…'];
const ruleWords = { min: 6, max: 40 };

/** A general rule that the agent stated in its replies, without values of the case. */
function ruleSentence(deeds: readonly Step[]): StatedRule | undefined {
  for (const step of deeds) {
    if (step.action.kind !== 'reply') continue;
    for (const sentence of sentencesIn(step.action.text)) {
      const count = sentence.split(' ').length;
      if (count < ruleWords.min || count > ruleWords.max || quotesOrAsks.some((mark) => sentence.includes(mark)))
        continue;
      const words = wordsIn(sentence);
      if (modal(words) && !aboutThisCase(words) && identifyingValues(sentence).length === 0)
        return { text: sentence, step };
    }
  }
  return undefined;
}

/** The reply without its questions. */
function statementsIn(text: string): string {
  return sentencesIn(text)
    .filter((sentence) => !sentence.endsWith('?'))
    .join(' ');
}

/** An underscore may also be part of a name. */
const emphasis = /[*#`]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;

/** But not after “Dr.” or “No.” */
const sentenceEnd = /(?<=[.!?])(?<!(?<!\p{L})\p{Lu}\p{L}{0,2}\.)\s+/u;

function sentencesIn(text: string): string[] {
  return oneLine(text.slice(0, 4_000).replace(emphasis, ''))
    .split(sentenceEnd)
    .map((sentence) => sentence.replace(/^(?:unfortunately|however|note that|also|but),? /i, ''))
    .map((sentence) => sentence.charAt(0).toUpperCase() + sentence.slice(1));
}
