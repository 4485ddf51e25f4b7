import { setImmediate } from 'node:timers/promises';

import type { EnhanceRequest, EnhanceResult, Recommendation } from '@whetstone/contracts';
import type { EnhancementIds } from '@whetstone/identity';
import { type CallContext, type Clock, Counter, Histogram, type Logger, type Registry } from '@whetstone/platform';
import { actionHash, memoizeByText, occursIn, ownContext, ownTask, readExample } from '@whetstone/reading';

import type { KnowledgeBase } from '../ports.js';
import { admitLessons, type GuardConfig } from './admit-lessons.js';
import { chooseLessons } from './choose-lessons.js';
import { type ComposedLesson, composeLessons, composeResponse } from './compose-response.js';
import { type DecidedHit, decidedHits, isInPersonsWords, isSilenced } from './decided-hits.js';
import { createExplanation, type Explanation, type Reason, sift } from './explanation.js';
import { foldLessons, foldShown, type Lesson, type UnweightedLesson } from './fold-lessons.js';
import { createFindHabit, withHabit } from './habits.js';
import { citedAs, lessonNameOf } from './hit-names.js';
import { type JudgedHit, judgeHits, type NearnessConfig } from './judge-hits.js';
import { createMasking, type Masking } from './mask-values.js';
import { createRelateTasks } from './relate-tasks.js';
import { typicalChanges } from './typical-changes.js';
import { createVouchedSteps } from './vouched-steps.js';

export interface EnhanceConfig extends NearnessConfig, GuardConfig {
  /** Insights to fetch and choose from. Most may be about failures at other tasks, which are never shown. */
  searchLimit: number;
  maxRecommendations: number;
  /** For all recommendations together. */
  budgetChars: number;
  /**
   * Share of requests with recommendations that get none, to measure what recommendations are worth. Collections may have
   * a share of their own.
   */
  holdoutShare: number;
}

export const defaultEnhanceConfig: EnhanceConfig = {
  searchLimit: 100,
  floor: 0.65,
  sameAgentFloor: 0.42,
  otherAgentFloor: 0.8,
  guardEffects: true,
  maxRecommendations: 5,
  budgetChars: 2_000,
  holdoutShare: 0,
};

/** So much of an input is compared with past tasks if what to search for comes with it. */
const readChars = 20_000;
const readAheadChars = 1_000;
/** Nearest insights that vote on what runs usually change. */
const neighbours = 40;

interface EnhanceDeps {
  knowledge: Pick<KnowledgeBase, 'search'>;
  enhancementIds: Pick<EnhancementIds, 'issue'>;
  clock: Clock;
  /** For intervals. Defaults to the process's own. */
  monotonicMs?: () => number;
  logger: Pick<Logger, 'warn'>;
  registry: Registry;
  /** In [0, 1). */
  random?: () => number;
  config: EnhanceConfig;
}

/** Returns the task with recommendations from past runs; unchanged if there are none or the request is held out. */
export function createEnhanceTask(deps: EnhanceDeps) {
  const { knowledge, enhancementIds, clock, logger, registry, random = Math.random, config } = deps;
  const metrics = createEnhanceMetrics(registry);
  const findHabit = createFindHabit(deps);
  const relateTasks = createRelateTasks();
  const read = memoizeByText(readExample);

  return async function enhanceTask(request: EnhanceRequest, call: CallContext): Promise<EnhanceResult> {
    const { collectionId, inputText } = request;
    const explanation = request.explain ? createExplanation() : undefined;
    const { composed, masking, hits, holdoutShare } = await lessonsFor(request, call, explanation);
    const holdout = composed.length > 0 && random() < holdoutShare;
    const shown = holdout ? [] : composed;
    if (holdout) metrics.heldOut();
    else metrics.answered(shown.length);

    return {
      response: composeResponse(inputText, shown),
      confidenceScore: confidenceScore(shown.map(({ lesson }) => lesson)),
      enhancementId: enhancementIds.issue(collectionId, {
        shown: composed.map(({ lesson }) => ({ id: citedAs(lesson.shown), deeds: lesson.forms.map(actionHash) })),
        shownAt: clock.now(),
        holdout,
      }),
      recommendations: shown.map((lesson) => toRecommendation(lesson, masking)),
      holdout,
      ...(explanation && { candidates: explanation.candidates(hits, reasonsFor(composed, holdout)) }),
    };
  };

  async function lessonsFor(request: EnhanceRequest, call: CallContext, explanation: Explanation | undefined) {
    const { collectionId, inputText, agentType, context, searchTexts, severalKeys = false } = request;
    const task = ownTask(searchTexts ? inputText.slice(0, readChars) : inputText);
    const contextText = ownContext(context);
    const searchedContext = searchTexts?.context ?? contextText;
    const question = {
      collectionId,
      text: searchTexts?.task ?? task,
      limit: config.searchLimit,
      ...(searchedContext === '' ? {} : { contextText: searchedContext }),
      ...(agentType === undefined ? {} : { agentType }),
    };
    const asked = relateTasks(task);
    const [found, habit] = await Promise.all([
      knowledge.search(question, call),
      findHabit(request, call).catch((error: unknown) => {
        logger.warn({ err: error, collectionId }, 'Searching for a format habit failed; answering without it');
        return undefined;
      }),
      // This thread is idle while the task is embedded. A long one is read only if something is found.
      setImmediate().then(() => task.length <= readAheadChars && asked.read()),
    ]);
    const hits = decidedHits(found);
    const relations = asked.relationsTo(hits.map(({ intent }) => intent));
    const vouched = createVouchedSteps({ task, wishes: relations.wishes, hits, severalKeys, read });
    const judged = judgeHits(hits, { ...config, relations, vouched, agentType, read }, explanation);
    const folded = foldLessons(judged, read, explanation);
    const admitted = admitLessons(folded, { task, hits, severalKeys, config }, explanation);
    const { maxRecommendations, budgetChars } = config;
    const masking = createMasking({ task, contextText, found: hits }, judged, read);
    const tells = (lesson: UnweightedLesson) => !isExampleAlone(lesson) || !masking.emptiesExample(lesson);
    const telling = sift(admitted, tells, 'nothing_to_show', explanation);
    const lessons = foldShown(telling, masking.example, explanation);
    const typical = typicalChanges(hits.slice(0, neighbours).filter((hit) => !isSilenced(hit)));
    const chosen = chooseLessons(lessons, { maxRecommendations, isAsked: occursIn(task), typical, explanation });
    // If every hit is about this very task, there may be more hits than the search returned, and more runs.
    const orMore = hits.length >= config.searchLimit && judged.filter(isDirect).length === hits.length;
    const all = withHabit(chosen, habit, maxRecommendations, explanation);
    const composed = composeLessons(all, masking, { budgetChars, orMore }, explanation);
    // A format habit alone says nothing about the task.
    const isAboutTask = composed.some(({ lesson }) => lesson !== habit);
    if (habit && !isAboutTask) explanation?.leave(habit.shown, 'without_example');
    return {
      composed: isAboutTask ? composed : [],
      masking,
      hits: habit ? [...hits, habit.shown] : hits,
      holdoutShare: found.settings.holdoutShare ?? config.holdoutShare,
    };
  }
}

/** Nothing is told of it but its example, unless a person wants it told. */
function isExampleAlone({ insight, shown, state }: UnweightedLesson): boolean {
  return insight.kind === 'strategy' && state !== 'pinned' && !isInPersonsWords(shown);
}

function isDirect({ relation }: JudgedHit): boolean {
  return relation !== 'similar';
}

function reasonsFor(composed: readonly ComposedLesson[], holdout: boolean): Map<DecidedHit, Reason> {
  const reasonOf = ({ state }: Lesson) => (state === 'pinned' ? 'pinned' : 'told');
  return new Map(composed.map(({ lesson }) => [lesson.shown, holdout ? 'held_out' : reasonOf(lesson)]));
}

function toRecommendation({ lesson, text }: ComposedLesson, masking: Masking): Recommendation {
  const { shown, insight, support, sourceJobIds } = lesson;
  const { kind } = insight;
  const title = masking.words(insight.title);
  return { id: lessonNameOf(shown), kind, title, text, similarity: shown.similarity, support, sourceJobIds };
}

const maxVoteShift = 0.05;

/**
 * Estimated chance that the task succeeds with this answer, by its best lesson. Calibrated on a small real agent: it
 * solved three of four tasks with an example of the same task, one of four with similar tasks, none with a warning
 * alone.
 */
function confidenceScore(lessons: readonly Lesson[]): number {
  const aboutTask = lessons.filter(({ insight }) => insight.scope !== 'format');
  return Math.round(1000 * Math.max(0, ...aboutTask.map(chanceOf))) / 1000;
}

function chanceOf({ relation, isClose, insight, nearness, support, voteShift }: Lesson): number {
  if (insight.polarity === 'failure' || insight.kind === 'pitfall') return 0.05;
  const agreed = 1 - 1 / support;
  const votes = Math.max(-maxVoteShift, Math.min(maxVoteShift, voteShift));
  if (relation === 'same') return 0.7 + 0.1 * agreed + votes;
  if (relation === 'variant') return 0.65 + 0.05 * agreed + votes;
  if (isClose) return 0.6 + votes;
  return 0.2 + 0.2 * nearness * nearness;
}

function createEnhanceMetrics(registry: Registry) {
  const returned = new Histogram({
    name: 'whetstone_recommendations_returned',
    help: 'Recommendations per enhance_task answer',
    buckets: [0, 1, 2, 3, 4, 5],
    registers: [registry],
  });
  const empty = new Counter({
    name: 'whetstone_enhance_empty_total',
    help: 'enhance_task answers without recommendations',
    registers: [registry],
  });
  const heldOut = new Counter({
    name: 'whetstone_enhance_held_out_total',
    help: 'enhance_task answers whose recommendations were held out to measure their effect',
    registers: [registry],
  });
  return {
    heldOut: () => heldOut.inc(),
    answered(recommendations: number) {
      returned.observe(recommendations);
      if (recommendations === 0) empty.inc();
    },
  };
}
