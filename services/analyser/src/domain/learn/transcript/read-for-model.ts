import type { Interaction } from '@whetstone/contracts';
import { ownWords } from '@whetstone/reading';

import type { Reflection } from '../../ports.js';
import { reflectOn } from '../reflect.js';
import { readRun, unteachableBecause } from '../run.js';
import { visitedHosts } from '../safety/visited-hosts.js';
import { writeTranscript } from './write-transcript.js';

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
