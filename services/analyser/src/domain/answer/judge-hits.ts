import { type Insight, oldRule } from '@whetstone/contracts';
import {
  type Action,
  contentWords,
  exampleActions,
  firstOfBareWords,
  isPlainCommand,
  occursIn,
  operationWords,
} from '@whetstone/reading';
import type { Difference } from './contrast.js';
import { type DecidedHit, isByPerson } from './decided-hits.js';
import type { Explanation, Reason } from './explanation.js';
import { taskNameOf } from './hit-names.js';
import { namesOther, type Related, type TaskRelations } from './relate-tasks.js';
import { changesFormat, withSwaps } from './swap-values.js';
import type { VouchedSteps } from './vouched-steps.js';

export interface NearnessConfig {
  /**
   * Least relevance of a hit. Neighbouring domains reach a cosine of 0.6. Where a task is not clearly in English and shares no
   * word with a hit, this counts for any agent type. Clearly in another language, it is not relevant at all.
   */
  floor: number;
  /** For insights of the asking agent type: the domain is the same. */
  sameAgentFloor: number;
  /** For insights of another agent type. */
  otherAgentFloor: number;
}

/** A hit that is relevant to the task. */
export interface JudgedHit {
  hit: DecidedHit;
  insight: Insight;
  /** Of its task to the new task. */
  relation: 'same' | 'variant' | 'similar';
  /** Same wording as the new task, so its values are the task's own. */
  verbatim: boolean;
  /** Both tasks clearly ask for the same kind of thing. */
  sameIntent: boolean;
  /** It only reads, and its similar task differs in one word or names the same things: it is shown like one for this task. */
  isClose: boolean;
  /** Between the new task and that of the hit, where it can be named. */
  difference?: () => Difference | undefined;
  /** Of a run that changed something, only what it looked up. */
  isLookup?: true;
  /** Why a command may not be told. If it only reads, its programs may be named. */
  withheld?: Reason;
  /** How close the tasks are, 0 to 1. */
  nearness: number;
  /** With the values of the new task filled in. */
  example?: string;
  /** Normal forms of the example's actions, likewise. */
  forms: readonly string[];
}

/** Weight of shared words, added to the cosine before it is compared with the floor. */
const wordsAgainstFloor = 0.5;
const wordsInNearness = 0.2;
/** Least nearness of tasks that differ only in values, although other names and dates make the embeddings differ. */
const sameWording = 0.7;
/** Lessons below this confidence are shown for their own task only. */
export const lowConfidence = 0.3;

/** Least similarity of a similar task whose example is shown although a nearer task's was withheld. */
const substituteFloor = 0.55;

/** Similar tasks beyond the nearest few add nothing. */
const maxSimilarTasks = 12;

interface Question extends NearnessConfig {
  relations: TaskRelations;
  vouched: VouchedSteps;
  agentType?: string | undefined;
  /** Of an example. */
  read(example: string): readonly Action[];
}

type RelevantHit = Pick<JudgedHit, 'hit' | 'nearness'>;

/** Those that may be told, and commands that are withheld. Nearest first. */
export function judgeHits(hits: readonly DecidedHit[], question: Question, explanation?: Explanation): JudgedHit[] {
  const { relations } = question;
  const similarTasks = new Set<string>();

  /** Of a hit at a similar task, why it is left out. */
  function leftAtSimilarTask(hit: DecidedHit): Reason | undefined {
    const useless = uselessElsewhere(hit.insight);
    if (useless) return useless;
    const task = taskNameOf(hit);
    const isOneTooMany = similarTasks.size >= maxSimilarTasks && !similarTasks.has(task);
    if (isOneTooMany) return hit.state === 'pinned' ? undefined : 'too_many';
    similarTasks.add(task);
    return undefined;
  }

  function judgementOn(hit: DecidedHit): Judgement | Reason {
    const { intent, similarity } = hit;
    if (hit.state === 'pending') return 'not_reviewed';
    const left = relations.isSameOrVariant(intent, similarity) ? undefined : leftAtSimilarTask(hit);
    return left ?? judge(hit, relations.relate(intent, similarity), question);
  }

  function nearnessOf({ hit: { intent, similarity }, nearness }: RelevantHit): number {
    const { relation, swaps } = relations.relate(intent, similarity);
    return relation === 'variant' && !namesOther(swaps) ? Math.max(nearness, sameWording) : nearness;
  }

  let isNearerWithheld = false;
  return relevantHits(hits, question, explanation).flatMap((relevant) => {
    const { hit } = relevant;
    const found = judgementOn(hit);
    isNearerWithheld ||= hit.similarity >= substituteFloor && isWithheld(found);
    const judgement = isNearerWithheld && isPoorSubstitute(hit, found, question.read) ? 'poor_substitute' : found;
    if (typeof judgement !== 'string') return [{ ...judgement, ...relevant, nearness: nearnessOf(relevant) }];
    explanation?.leave(hit, judgement);
    return [];
  });
}

function isWithheld(found: Judgement | Reason): boolean {
  const reason = typeof found === 'string' ? found : found.withheld;
  return reason === 'opposite_task' || reason === 'unclear_intent';
}

/** Where the call of a near task may not be told, that of a far one is noise. */
function isPoorSubstitute(hit: DecidedHit, found: Judgement | Reason, read: Question['read']): boolean {
  if (typeof found === 'string' || found.relation !== 'similar' || hit.state === 'pinned' || isByPerson(hit.insight))
    return false;
  return hit.similarity < substituteFloor && !isCommand(hit.insight, read);
}

function relevantHits(
  hits: readonly DecidedHit[],
  question: Question,
  explanation: Explanation | undefined,
): RelevantHit[] {
  const near = hits.flatMap((hit) => {
    // Lessons about a format or an agent do not depend on the task.
    if (hit.insight.scope === 'format' || hit.insight.scope === 'agent') {
      explanation?.leave(hit, 'not_about_tasks');
      return [];
    }
    const floor = floorFor(hit, question);
    // Most hits are far below the floor; skip counting their words.
    const overlap = hit.similarity + wordsAgainstFloor < floor ? 0 : question.relations.overlapWith(hit.intent);
    const relevance = hit.similarity + wordsAgainstFloor * overlap;
    // The embedding model hardly knows other languages: unrelated texts in one of them are often near each other.
    const isForeign = overlap === 0 && question.relations.isForeign();
    const isUnclear = overlap === 0 && !question.relations.isEnglish();
    if (isForeign || relevance < (isUnclear ? Math.max(floor, question.floor) : floor)) {
      const isOther = floor === question.otherAgentFloor && relevance >= question.sameAgentFloor;
      explanation?.leave(hit, isOther ? 'other_agent' : 'below_floor');
      return [];
    }
    const nearness = Math.min(1, hit.similarity * (1 - wordsInNearness) + overlap * wordsInNearness);
    return [{ hit, nearness }];
  });
  return near.sort((a, b) => b.nearness - a.nearness);
}

/** A failure at another task says nothing about this one, nor does a low-confidence lesson. */
function uselessElsewhere({ polarity, confidence }: Insight): Reason | undefined {
  if (polarity === 'failure') return 'failed_elsewhere';
  return confidence < lowConfidence ? 'low_confidence' : undefined;
}

type Judgement = Omit<JudgedHit, 'hit' | 'nearness'>;
type Fitted = Omit<Judgement, 'sameIntent' | 'isClose'>;

type Judging = Pick<Question, 'read' | 'vouched'>;

function judge(hit: DecidedHit, related: Related, judging: Judging): Judgement | Reason {
  const { insight: stored, state } = hit;
  const { read, vouched } = judging;
  const withheld = (reason: Reason) => {
    // Who only wants to know something may look where others looked before they changed it.
    const lookups = vouched.looksOnly() && reason === 'unclear_intent' ? vouched.lookups(typed(stored)) : undefined;
    if (lookups) return judge({ ...hit, insight: lookups }, { ...related, relation: 'similar' }, judging);
    return withholdCommand(stored, reason, state, read);
  };
  if (related.relation === 'none') return withheld('opposite_task');
  const { sameIntent } = related;
  const likely = fitToTask(hit, related);
  const changes = likely.insight.effects.length > 0 || mayBeOrder(likely.insight);
  const isPinned = state === 'pinned' && sameIntent && related.ownVerbs < 2;
  const isFree = !changes || likely.insight.kind === 'pitfall' || isPinned;
  if (!isFree && related.isAboutOther()) return withheld('unclear_intent');
  const wanted = isFree ? likely : asWanted(likely, related, read);
  if (!wanted) return withheld('unclear_intent');
  const fitted = withoutExtras(wanted, hit, related, vouched);
  const { insight } = fitted;
  if (fitted.relation === 'variant') return { ...fitted, sameIntent, isClose: false };
  if (fitted.relation === 'same') return { ...fitted, sameIntent, isClose: false, difference: related.contrast };
  const useless = uselessElsewhere(insight);
  if (useless) return useless;
  // An answer fits only its own question.
  const isShowable = sameIntent && !changes && insight.rule !== 'reply';
  const ofOneWord = isShowable ? related.difference : undefined;
  const isClose = ofOneWord !== undefined || (isShowable && related.sharesThings && isCommand(insight, read));
  const difference = () => {
    if (ofOneWord || insight.rule === 'looked') return ofOneWord;
    const contrast = related.contrast();
    // Beside a command for the same things, words that hardly matter misled a real agent.
    const isTelling = !isClose || (contrast?.here.length === 1 && contrast.there.length === 1);
    return isTelling ? contrast : undefined;
  };
  return { ...fitted, sameIntent, isClose, difference };
}

function withoutExtras(fitted: Fitted, hit: DecidedHit, related: Related, vouched: VouchedSteps): Fitted {
  const { insight, example, relation } = fitted;
  const told = example === undefined ? insight : { ...insight, example };
  const kept = vouched.of(told, hit, () => relation !== 'similar' || related.wishesSame());
  if (kept === told) return fitted;
  // “Who moved it?” is not answered by what was looked up to move it.
  const looks = kept.effects.length === 0;
  const isOther = looks && related.isAboutOther();
  return {
    ...fitted,
    ...(isOther && ({ relation: 'similar', verbatim: false } as const)),
    ...(looks && ({ isLookup: true } as const)),
    insight: kept,
    forms: kept.actions,
    ...(kept.example && { example: kept.example }),
  };
}

function withholdCommand(
  stored: Insight,
  reason: Reason,
  state: DecidedHit['state'],
  read: Question['read'],
): Judgement | Reason {
  const insight = typed(stored);
  if (state === 'pinned' || uselessElsewhere(insight) || !isCommand(insight, read)) return reason;
  return { ...asStored(insight), relation: 'similar', sameIntent: false, isClose: false, withheld: reason };
}

function asStored(insight: Insight) {
  const { example, actions } = insight;
  return { insight, verbatim: false, forms: actions, ...(example === undefined ? {} : { example }) };
}

/** A command that is not told for a paraphrase may still be a hint, as one of a similar task. */
function asWanted(likely: Fitted, related: Related, read: Question['read']): Fitted | undefined {
  if (swapsKind(likely.insight, related)) return undefined;
  if (likely.relation === 'variant' || mayChange(likely, related, read)) return likely;
  const similar = { ...likely, relation: 'similar', verbatim: false } as const;
  return isCommand(likely.insight, read) && mayChange(similar, related, read) ? similar : undefined;
}

/** “Rechnung 900”, “Mahnung 900”: what the number is of may be what the action is about. */
function swapsKind({ example = '' }: Insight, { swaps }: Related): boolean {
  return swaps.some(([past, , form]) => form === 'kind' && !example.includes(past));
}

/** Calls and queries of similar tasks are shown anyway. */
function isCommand({ example = '' }: Insight, read: Question['read']): boolean {
  return isPlainCommand(example) || read(example).some(({ kind }) => kind === 'command');
}

/**
 * Whether the new task asks for what an action changes. It may not if the intents may differ ("delete younger", "delete
 * older"), if it has one more wish, or if it lacks a word that the action took up from the past task: `apply`, for a plan
 * that is to be shown.
 */
function mayChange({ insight, relation }: Fitted, related: Related, read: Question['read']): boolean {
  const { verbatim, wordForWord, sameIntent, ownVerbs, lost, added, difference } = related;
  if (relation === 'same' && verbatim) return true;
  if (related.isPart()) return false;
  if (relation === 'same' && wordForWord) return true;
  const { example = '', rule } = insight;
  if (relation === 'same' && related.particlesDiffer()) return false;
  const isHint = relation === 'similar' && isPlainCommand(example);
  if (related.isReworded() || (related.saysMore() && !isHint)) return false;
  if (!sameIntent || ownVerbs === 2 || (difference && rule !== 'calls')) return false;
  // “Delete the comments of user 7” has all of “delete user 7”.
  const isNarrower = related.more && ((related.more === 'words' && destroys(insight)) || related.namesSame());
  // Of a command for a similar task only the program and its options are told.
  if (isHint) return true;
  const actions = read(example);
  const isMoved = related.relation === 'same' && lost.length + added.length === 0;
  if (actions.every(({ kind }) => kind === 'call' || kind === 'http')) {
    // Only the shape of a call is shown, without the value that a word may stand for.
    const names = actions.map((action) => operationWords(action)[0]).join(' ');
    const given = actions.map(({ args = {} }) => JSON.stringify(Object.values(args))).join(' ');
    // A request in one clause turns on each of its words; beside a clause that both have, a word may be incidental.
    const isOneWord = lost.length === 1 && added.length <= 2 && !related.sharesClause();
    // “Deny a refund request” has “refund request” under another verb.
    const isGoverned = ownVerbs === 1 && (lost.length === 0 || related.isGoverned);
    return !isMoved && !isGoverned && !isNarrower && !haveAny(names, lost) && (!isOneWord || haveAny(given, lost));
  }
  if (relation === 'similar' && actions.every(({ kind }) => kind === 'command')) return true;
  if (relation === 'similar')
    return !isMoved && actions.every(({ kind }) => kind === 'code') && !haveAny(example, lost);
  // A task that says more may want it for less: “change the folders below this one” for “change the files”.
  const saysMore = added.length > lost.length;
  return ownVerbs === 0 && lost.length > 0 && !saysMore && !isNarrower && !haveAny(example, lost);
}

/** A reply like `doorctl open D3` may be a command of a program that nobody knows. */
function mayBeOrder({ rule, example = '' }: Insight): boolean {
  return rule === 'reply' && firstOfBareWords(example) !== '';
}

function isLabel(example: string): boolean {
  return example.trim().split(/\s+/).length <= 3;
}

function destroys({ effects }: Insight): boolean {
  return effects.includes('destroys') || effects.includes('destroys_all');
}

function haveAny(text: string, words: readonly string[]): boolean {
  const own = contentWords(text);
  return words.some((word) => own.has(word));
}

/** Decides whether the example fits as it is, with the new values filled in, or only as one of a similar task. */
function fitToTask({ insight: stored, intent }: DecidedHit, related: Related): Fitted {
  const insight = typed(stored);
  const { example } = insight;
  const unchanged = asStored(insight);
  const fromSimilar = { ...unchanged, relation: 'similar' } as const;
  // A likely paraphrase is not enough to destroy something. “Do you ship from Norway?” is another question than “… to Norway?”
  const isReply = insight.rule === 'reply' && !mayBeOrder(insight);
  // “Positive or negative?” is answered by a word that “sarcastic or sincere?” does not offer.
  const isLostLabel = () => example !== undefined && isLabel(example) && haveAny(example, related.lost);
  const isOtherText = () => example !== undefined && isLabel(example) && related.added.length > 0;
  const isAnotherAnswer = () => related.directionsDiffer() || isLostLabel() || isOtherText();
  const isUncertain = !related.wordForWord && (destroys(insight) || (isReply && isAnotherAnswer()));
  if (related.relation === 'same')
    return isUncertain ? fromSimilar : { ...unchanged, relation: 'same', verbatim: related.verbatim };
  if (related.relation !== 'variant') return fromSimilar;
  const mayBeNone = related.swaps.some(([, , form]) => form === 'named');
  if (mayBeNone && (example === undefined || destroys(insight))) return fromSimilar;
  if (changesFormat(related.swaps)) return fromSimilar;
  // Flight LH303 is not late because LH202 was.
  if (isReply) return fromSimilar;
  // A lesson in words is about its own values: the capital of Peru is not that of Chile. A person's note that names none of
  // them goes with any.
  if (example === undefined) {
    const isGeneral = isByPerson(insight) && !related.swaps.some(([past]) => insight.content.includes(past));
    return isGeneral ? { ...unchanged, relation: 'variant' } : fromSimilar;
  }
  const swapped = withSwaps(example, related.swaps, occursIn(intent));
  if (swapped === undefined) return fromSimilar;
  return { insight, relation: 'variant', verbatim: true, example: swapped, forms: exampleActions(swapped).actions };
}

/** Rows stored before insights had rules: their actions are parsed on read. */
function typed(insight: Insight): Insight {
  return insight.rule === oldRule && insight.example !== undefined
    ? { ...insight, ...exampleActions(insight.example) }
    : insight;
}

function floorFor({ origin }: DecidedHit, { agentType, floor, sameAgentFloor, otherAgentFloor }: Question): number {
  if (agentType === undefined || origin.agentType === undefined) return floor;
  return agentType === origin.agentType ? sameAgentFloor : otherAgentFloor;
}
