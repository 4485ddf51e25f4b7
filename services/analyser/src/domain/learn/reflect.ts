import type { Insight, Interaction, Producer } from '@whetstone/contracts';
import { actionHash, ownWords, withoutLoneSurrogates } from '@whetstone/reading';

import type { Reflection } from '../ports.js';
import { formatLesson, loopLesson, obstacleLesson, recoveryLesson } from './error-lessons.js';
import { guardInsights, guardUses } from './guard-insights.js';
import { visitedHosts } from './hosts.js';
import { ruleLesson, strategyLesson } from './lessons.js';
import { type RunReading, readRun, runTrail, whyUnteachable } from './run.js';
import { writeTranscript } from './transcript.js';

const maxInsights = 3;
const maxDeeds = 200;
export const producer: Producer = { name: 'reflector', version: '8' };

/** Most valuable first. Success teaches what to do, failure what to avoid; recoveries count in both. */
const makers: Record<RunReading['outcome'], readonly ((run: RunReading) => Insight | undefined)[]> = {
  success: [strategyLesson, formatLesson, recoveryLesson, ruleLesson],
  failure: [formatLesson, obstacleLesson, recoveryLesson, loopLesson],
  unknown: [formatLesson, recoveryLesson],
};

/**
 * Learns from one interaction. Deterministic, without a model or network; time and memory are linear in the size of the
 * upload, whatever its shape.
 */
export function reflect(interaction: Interaction): Reflection {
  const withoutEchoes = ownWords(interaction);
  const run = readRun(withoutEchoes);
  return reflectOn(run, visitedHosts(withoutEchoes, run.steps));
}

function reflectOn(run: RunReading, visited: ReadonlySet<string>): Reflection {
  const unteachable = whyUnteachable(run);
  const made = unteachable === undefined ? makers[run.outcome].flatMap((make) => make(run) ?? []) : [];
  const { insights, dropped } = guardInsights(made, visited);
  const kept = insights.slice(0, maxInsights);
  return withoutLoneSurrogates({
    intent: run.intent,
    run: guardUses(runTrail(run), visited),
    insights: kept,
    deeds: deedNames(run),
    ...(kept.length > 0 ? {} : { nothingBecause: unteachable ?? nothingBecause(run, made) }),
    dropped,
    producer,
  });
}

/** Short names of what the run did, to credit its outcome only to advice that was followed. */
function deedNames({ deeds }: RunReading): string[] {
  return [...new Set(deeds.slice(-maxDeeds).map(({ form }) => actionHash(form)))];
}

function nothingBecause(run: RunReading, made: readonly Insight[]): string {
  if (made.length > 0) return 'the lesson is not safe to share';
  if (run.outcome === 'failure') return 'the run failed without an error to learn from';
  return run.outcome === 'unknown' ? 'the outcome is unknown' : 'the conversation says too little to learn from';
}

/** An interaction prepared for a model, with what can be learnt without one. */
export interface ModelReading extends Pick<Reflection, 'intent' | 'run'> {
  /** The fallback if the model finds nothing. */
  reflection: Reflection;
  /** Turn numbers. */
  turns: ReadonlySet<number>;
  transcript: string;
  /** The only hosts that an insight may name. */
  visitedHosts: ReadonlySet<string>;
  /** False if there is no task or no action, so that the model need not be asked. */
  teachable: boolean;
}

export function readForModel(interaction: Interaction, budgetTokens: number): ModelReading {
  const withoutEchoes = ownWords(interaction);
  const run = readRun(withoutEchoes);
  const visited = visitedHosts(withoutEchoes, run.steps);
  const reflection = reflectOn(run, visited);
  const errorTurns = new Set(run.steps.filter(({ outcome }) => outcome.kind === 'error').map(({ turn }) => turn));
  return {
    intent: reflection.intent,
    run: reflection.run,
    reflection,
    turns: new Set(interaction.turns.map(({ turn }) => turn)),
    transcript: writeTranscript(withoutEchoes, { budgetTokens, errorTurns }),
    visitedHosts: visited,
    teachable: whyUnteachable(run) === undefined,
  };
}
