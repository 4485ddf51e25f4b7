import type { Effect, SearchHit } from '@whetstone/contracts';
import { asksFor, effectsOf, firstOfBareWords, onlyReads } from '@whetstone/reading';

import { isByPerson } from './decided-hits.js';
import { type Explanation, sift } from './explanation.js';
import type { UnweightedLesson } from './fold-lessons.js';
import { keysOf } from './hit-runs.js';

export interface GuardConfig {
  /** Show risky actions only if the task asks for them or several runs agree. */
  guardEffects: boolean;
}

/** Shown only if the task asks for it or several runs agree. */
const risky: ReadonlySet<Effect> = new Set([
  'destroys',
  'connects',
  'installs',
  'widens_rights',
  'disables_safeguard',
  'persists',
  'unreadable',
]);
/** Shown only if several runs agree, whatever the task says. */
const needsAgreement: ReadonlySet<Effect> = new Set(['runs_fetched', 'opens_shell', 'destroys_all']);
export const minAgreeingRuns = 3;
export const minAgreeingKeys = 2;

interface Admission {
  task: string;
  hits: readonly SearchHit[];
  /** The account has several keys that may upload, whether or not they taught any of the hits. */
  severalKeys: boolean;
  config: GuardConfig;
}

/**
 * Drops lessons with which a single upload could do harm, judged by what their examples do. Runs before ranking, so
 * that a dropped lesson cannot outvote one that is shown.
 */
export function admitLessons(
  lessons: readonly UnweightedLesson[],
  { task, hits, severalKeys, config }: Admission,
  explanation?: Explanation,
): UnweightedLesson[] {
  const needsKeys = severalKeys || new Set(hits.flatMap(keysOf).map(({ keyId }) => keyId)).size > 1;
  const trusted = sift(lessons, (lesson) => isDecided(lesson) || isTrusted(lesson), 'low_trust', explanation);
  if (!config.guardEffects || trusted.length === 0) return trusted;
  const guarded: ReadonlySet<Effect> = onlyReads(task) ? new Set([...risky, 'changes']) : risky;
  const passes = (lesson: UnweightedLesson) => isDecided(lesson) || isSafe(lesson, { task, guarded, needsKeys });
  return sift(trusted, passes, 'needs_agreement', explanation);
}

/** A person pinned or wrote it; or silenced it, which is done once it is known what says the same. */
function isDecided({ state, insight }: UnweightedLesson): boolean {
  return state !== undefined || isByPerson(insight);
}

/** Whether the example does more than read, or change what it names. */
export function isRisky({ insight, example }: UnweightedLesson): boolean {
  return example !== undefined && insight.effects.some((effect) => risky.has(effect) || needsAgreement.has(effect));
}

/** A lesson taught only by low-trust keys needs agreeing runs of several keys. */
function isTrusted({ trusts, support, keyIds }: UnweightedLesson): boolean {
  return !isOnlyLow(trusts) || (support >= minAgreeingRuns && keyIds.size >= minAgreeingKeys);
}

function isOnlyLow(trusts: UnweightedLesson['trusts']): boolean {
  return trusts.has('low') && trusts.size === 1;
}

interface Guard {
  task: string;
  /** Effects that the task has to ask for. */
  guarded: ReadonlySet<Effect>;
  /** Runs of one key are no agreement. */
  needsKeys: boolean;
}

/** Pitfalls are shown in words only, so there is nothing to run. */
function isSafe(lesson: UnweightedLesson, { task, guarded, needsKeys }: Guard): boolean {
  const { insight, example, trusted, trusts } = lesson;
  const { effects } = insight;
  const needsIt = effects.some((effect) => needsAgreement.has(effect)) || isPersonalAnswer(lesson);
  const isGuarded = needsIt || effects.some((effect) => guarded.has(effect));
  if (insight.kind === 'pitfall' || example === undefined || !isGuarded) return true;
  if (trusted.runs >= minAgreeingRuns && (!needsKeys || trusted.keys >= minAgreeingKeys)) return true;
  if (needsIt) return false;
  return trusts.has('high') || effects.every((effect) => !guarded.has(effect) || isRequested(effect, lesson, task));
}

/** “What is my balance?”: the answer is that of whoever asked. */
function isPersonalAnswer({ insight, shown, example = '' }: UnweightedLesson): boolean {
  const isReply = insight.rule === 'reply' && firstOfBareWords(example) === '';
  return isReply && ownThing.test(shown.intent) && !asActor.test(shown.intent);
}

const ownThing =
  /(?<!\p{L})(?:my|mine|our|mein\p{L}{0,2}|unser\p{L}{0,2}|mon|ma|mes|notre|nos|mis?|meus?|minhas?|mio|mia|miei|mie|mijn|moj\p{L}{0,3}|мо(?:й|я|ё|е|и|ю|его|ей|их)|наш\p{L}{0,3})(?!\p{L})|我的|我们的|我們的|मेर[ाीे]/iu;
/** “How do I reset my password?”, “Can I …?”, “¿Cómo cambio mi contraseña?”: what anybody can do. */
const asActor =
  /(?<!\p{L})(?:(?:how|wie|comment|hoe)(?! (?:much|many|high|long|often|viele?|hoch|lange|oft))|can|may|could|should|must|kann|darf|muss|soll|puis|peux|dois|puedo|posso|kan|mag|могу|можно)(?!\p{L})[^.!?]{0,40}?(?<!\p{L})(?:i|we|ich|wir|je|nous|yo|eu|io|ik|wij|я|мы)(?!\p{L})|(?<!\p{L})(?:do i (?:need|have to)|how to|puedo|posso)(?!\p{L})|^\P{L}*(?:c[óo]mo|come|как)(?!\p{L})|如何|怎么/iu;

function isRequested(effect: Effect, lesson: UnweightedLesson, task: string): boolean {
  const actions = lesson.actions().filter((action) => effectsOf(action).includes(effect));
  return actions.length > 0 && actions.every((action) => asksFor(task, effect, action));
}
