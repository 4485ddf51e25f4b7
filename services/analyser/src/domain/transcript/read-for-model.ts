import type { Interaction, RunTrail } from '@whetstone/contracts';

import { ownWords } from '../echo/own-words.js';
import { isTeachable, readRun } from '../reflector/run-reading.js';
import { runTrail } from '../reflector/run-trail.js';
import { guardUses } from '../safety/guard-insights.js';
import { visitedHosts } from '../safety/visited-hosts.js';
import { withWholeCharacters } from '../whole-characters.js';
import { writeTranscript } from './write-transcript.js';

/** An interaction as a model gets to read it, with what needs no model. */
export interface ModelReading {
  intent: string;
  run: RunTrail;
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
  const errorTurns = new Set(run.steps.filter(({ outcome }) => outcome.kind === 'error').map(({ turn }) => turn));
  return {
    ...withWholeCharacters({ intent: run.intent, run: guardUses(runTrail(run), visited) }),
    turns: new Set(interaction.turns.map(({ turn }) => turn)),
    transcript: writeTranscript(own, { budgetTokens, errorTurns }),
    visitedHosts: visited,
    teachable: isTeachable(run),
  };
}
