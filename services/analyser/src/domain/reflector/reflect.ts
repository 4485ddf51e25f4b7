import type { Insight, Interaction, Producer } from '@whetstone/contracts';

import { ownWords } from '../echo/own-words.js';
import type { Reflection } from '../ports.js';
import { guardInsights, guardUses } from '../safety/guard-insights.js';
import { visitedHosts } from '../safety/visited-hosts.js';
import { withWholeCharacters } from '../whole-characters.js';
import { withAnswer, wrongAnswerLesson } from './lessons/answer-lessons.js';
import { browserStrategy } from './lessons/browser-strategy.js';
import { commandStrategy } from './lessons/command-strategy.js';
import { askingLesson, replyFailureLesson, replyStrategy, ruleLesson } from './lessons/conversation-lessons.js';
import { formatLesson } from './lessons/format-lesson.js';
import { loopLesson } from './lessons/loop-lesson.js';
import { obstacleLesson } from './lessons/obstacle-lesson.js';
import { orderStrategy } from './lessons/order-strategy.js';
import { recoveryLesson } from './lessons/recovery-lesson.js';
import { silentFailureLesson } from './lessons/silent-failure-lesson.js';
import { toolStrategy } from './lessons/tool-strategy.js';
import { openQuestionLesson, unusedYesLesson } from './lessons/unfinished-lessons.js';
import { isTeachable, type RunReading, readRun } from './run-reading.js';
import { runTrail } from './run-trail.js';

const maxInsights = 3;
export const producer: Producer = { name: 'reflector', version: '5' };

type LessonMaker = (run: RunReading) => Insight | undefined;

/**
 * Reads one interaction and says what another attempt could use. Deterministic, no model, no network; time and memory follow
 * the size of the upload whatever its shape, because only the two ends of every text are looked at.
 */
export function reflect(interaction: Interaction): Reflection {
  const own = ownWords(interaction);
  const run = readRun(own);
  const visited = visitedHosts(own, run.steps);
  const { insights, dropped } = guardInsights(lessonsOf(run), visited);
  return withWholeCharacters({
    intent: run.intent,
    run: guardUses(runTrail(run), visited),
    insights: withoutSameExample(insights).slice(0, maxInsights),
    dropped,
    producer,
  });
}

function lessonsOf(run: RunReading): Insight[] {
  return isTeachable(run) ? makersFor(run).flatMap((make) => make(run) ?? []) : [];
}

/** In the order of worth. Success teaches what to do, failure what to avoid; what an error taught counts in both. */
function makersFor(run: RunReading): LessonMaker[] {
  if (run.outcome === 'success') return [answeredStrategy, formatLesson, recoveryLesson, ruleUnlessTold, loopLesson];
  if (run.outcome === 'failure') {
    return [
      formatLesson,
      wrongAnswerLesson,
      unusedYesLesson,
      obstacleLesson,
      recoveryLesson,
      askingLesson,
      openQuestionLesson,
      silentFailureUnlessTold,
      replyFailureLesson,
      loopUnlessTold,
    ];
  }
  return [formatLesson, recoveryLesson];
}

function answeredStrategy(run: RunReading): Insight | undefined {
  return withAnswer(strategy(run), run);
}

function strategy(run: RunReading): Insight | undefined {
  const kinds = new Set(run.deeds.map(({ action }) => action.kind));
  const executes = kinds.has('shell') || kinds.has('sql') || kinds.has('code');
  if (kinds.has('tool') && !(executes && !kinds.has('reply'))) return toolStrategy(run);
  if (kinds.has('browser')) return browserStrategy(run);
  if (kinds.has('order')) return orderStrategy(run);
  return executes ? commandStrategy(run) : replyStrategy(run);
}

/** A run that changed nothing has told its rule already: it is why it declined. */
function ruleUnlessTold(run: RunReading): Insight | undefined {
  const changed = run.deeds.some(
    ({ action, role, outcome }) => action.kind === 'tool' && role === 'change' && outcome.kind !== 'error',
  );
  return changed ? ruleLesson(run) : undefined;
}

/** Repeats are told with the error or the silence that they ended in; a loop in between is a lesson of its own. */
function loopUnlessTold(run: RunReading): Insight | undefined {
  const told = obstacleLesson(run) ?? silentFailureUnlessTold(run);
  return told ? undefined : loopLesson(run);
}

/** Where an error, a wrong answer or a yes that came to nothing explains the end, the clean steps before it are no mystery. */
function silentFailureUnlessTold(run: RunReading): Insight | undefined {
  return run.answer ||
    unusedYesLesson(run) ||
    run.deeds.findLast(({ action }) => action.kind !== 'reply')?.outcome.kind === 'error'
    ? undefined
    : silentFailureLesson(run);
}

function withoutSameExample(lessons: readonly Insight[]): Insight[] {
  return lessons.filter(
    (lesson, at) =>
      lesson.kind === 'strategy' ||
      !lessons.slice(0, at).some((other) => other.kind === lesson.kind && other.example === lesson.example),
  );
}
