import type { Insight, Interaction, Producer } from '@whetstone/contracts';
import { deedName, ownWords, withWholeCharacters } from '@whetstone/reading';

import type { Reflection } from '../ports.js';
import { formatLesson, loopLesson, obstacleLesson, recoveryLesson } from './error-lessons.js';
import { guardInsights, guardUses } from './guard-insights.js';
import { visitedHosts } from './hosts.js';
import { ruleLesson, strategyLesson } from './lessons.js';
import { type RunReading, readRun, runTrail, unteachableBecause } from './run.js';
import { writeTranscript } from './transcript.js';

const maxInsights = 3;
const mostDeeds = 200;
export const producer: Producer = { name: 'reflector', version: '6' };

/** In the order of worth. Success teaches what to do, failure what to avoid; what an error taught counts in both. */
const makers: Record<RunReading['outcome'], readonly ((run: RunReading) => Insight | undefined)[]> = {
  success: [strategyLesson, formatLesson, recoveryLesson, ruleLesson],
  failure: [formatLesson, obstacleLesson, recoveryLesson, loopLesson],
  unknown: [formatLesson, recoveryLesson],
};

/**
 * Reads one interaction and says what another attempt could use. Deterministic, no model, no network; time and memory follow
 * the size of the upload whatever its shape.
 */
export function reflect(interaction: Interaction): Reflection {
  const own = ownWords(interaction);
  const run = readRun(own);
  return reflectOn(run, visitedHosts(own, run.steps));
}

export function reflectOn(run: RunReading, visited: ReadonlySet<string>): Reflection {
  const unteachable = unteachableBecause(run);
  const made = unteachable === undefined ? makers[run.outcome].flatMap((make) => make(run) ?? []) : [];
  const { insights, dropped } = guardInsights(made, visited);
  const kept = insights.slice(0, maxInsights);
  return withWholeCharacters({
    intent: run.intent,
    run: guardUses(runTrail(run), visited),
    insights: kept,
    deeds: deedNames(run),
    ...(kept.length > 0 ? {} : { nothingBecause: unteachable ?? nothingBecause(run, made) }),
    dropped,
    producer,
  });
}

/** What the run did, by short names: an outcome counts for the advice that was followed. */
function deedNames({ deeds }: RunReading): string[] {
  return [...new Set(deeds.slice(-mostDeeds).map(({ form }) => deedName(form)))];
}

function nothingBecause(run: RunReading, made: readonly Insight[]): string {
  if (made.length > 0) return 'the lesson is not safe to share';
  if (run.outcome === 'failure') return 'it failed, and no turn shows an error to learn from';
  return run.outcome === 'unknown' ? 'the outcome is unknown' : 'the conversation says too little to learn from';
}

/** An interaction as a model gets to read it, with what needs no model. */
export interface ModelReading extends Pick<Reflection, 'intent' | 'run'> {
  /** What is learnt without it: kept where the model finds nothing. */
  reflection: Reflection;
  /** The numbers of its turns. */
  turns: ReadonlySet<number>;
  transcript: string;
  /** What an insight may lead to. */
  visitedHosts: ReadonlySet<string>;
  /** Whether there is a task and anything done about it: otherwise no model has to be asked. */
  teachable: boolean;
}

export function readForModel(interaction: Interaction, budgetTokens: number): ModelReading {
  const own = ownWords(interaction);
  const run = readRun(own);
  const visited = visitedHosts(own, run.steps);
  const reflection = reflectOn(run, visited);
  const errorTurns = new Set(run.steps.filter(({ outcome }) => outcome.kind === 'error').map(({ turn }) => turn));
  return {
    intent: reflection.intent,
    run: reflection.run,
    reflection,
    turns: new Set(interaction.turns.map(({ turn }) => turn)),
    transcript: writeTranscript(own, { budgetTokens, errorTurns }),
    visitedHosts: visited,
    teachable: unteachableBecause(run) === undefined,
  };
}
