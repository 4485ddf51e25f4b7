import type { SearchHit } from '@whetstone/contracts';

import { handsInAnswer } from '../reflector/actions/given-answer.js';
import { agree, contentWords, jaccard } from './content-words.js';
import { isReversed } from './reversed.js';
import { isUncalledFor } from './uncalled-for.js';

export interface RelevanceConfig {
  /** Nearness below which nothing is said. Neighbouring domains meet at a cosine of up to 0.6. */
  floor: number;
  /** The same for insights of the very agent type that asks: the domain is known to be the same. */
  sameAgentFloor: number;
  /** And for those of an agent type that is known to be another. */
  otherAgentFloor: number;
}

export interface RelevantHit {
  hit: SearchHit;
  /** How much the task of the insight is the task asked about, 0 to 1: its cosine, a little more where words agree. */
  relevance: number;
  /** Its example destroys something, and the task does not ask for that. */
  uncalledFor: boolean;
  /** Its task is the one asked about, in the same words or nearly so. */
  sameTask: boolean;
  /** How many of the texts in quotes, paths and numbers of the task its example has too. */
  named: number;
}

/** Nearness is the cosine and this part of the words that both share: words decide where meaning is in doubt. */
const wordsInNearness = 0.5;
const wordsInRelevance = 0.2;
/** Below this relevance a task is another one: what it teaches is an idea, and the reader has to see whether it fits. */
export const far = 0.55;
/** A lesson that hardly trusts itself is told only where the task is nearly the same. */
const doubtful = { confidence: 0.3, relevance: 0.8 };
/** That something is not the answer is told to the same question only. */
const sameQuestion = 0.95;
/** What a run that failed has to say of a task that is only roughly alike is nothing for this one. */
const failureFloor = 0.6;

/** Below this a command that destroys what nobody asks to be destroyed is not even worth a word of caution. */
const worthACaution = 0.55;

/** The hits that have something to do with the task, with how much. */
export function relevantHits(
  hits: readonly SearchHit[],
  task: { text: string; agentType?: string },
  config: RelevanceConfig,
): RelevantHit[] {
  const words = contentWords(task.text);
  const overlapOf = overlapsWith(words);
  const given = givenIn(task.text);
  return hits.flatMap((hit) => {
    const floor = floorFor(hit, task.agentType, config);
    // Most of what a search brings is far below any floor: its words are not worth counting.
    if (hit.similarity + wordsInNearness < floor) return [];
    const overlap = overlapOf(hit.intent);
    if (hit.similarity + wordsInNearness * overlap < floor) return [];
    const relevance = Math.min(1, hit.similarity * (1 - wordsInRelevance) + overlap * wordsInRelevance);
    if (hit.insight.confidence < doubtful.confidence && relevance < doubtful.relevance) return [];
    const uncalledFor = isUncalledFor(hit.insight, task.text);
    if ((uncalledFor && relevance < worthACaution) || isReversed(hit.insight, task.text)) return [];
    const { example = '' } = hit.insight;
    const sameTask = agree(words, contentWords(hit.intent));
    return [{ hit, relevance, uncalledFor, sameTask, named: given.filter((text) => example.includes(text)).length }];
  });
}

const mostGiven = 16;

/** What a task gives as it is to be used: texts in quotes, paths, numbers. */
function givenIn(task: string): string[] {
  const found = task
    .slice(0, 2_000)
    .matchAll(/"([^"]{1,60})"|(?<!\w)'([^']{1,60})'(?!\w)|(\/[\w./-]{2,80})|\b(\d+)\b/g);
  const texts = [...found].map(([, ...groups]) => groups.find((group) => group !== undefined) ?? '');
  return [...new Set(texts)].slice(0, mostGiven);
}

/** How much of the words an intent shares; the insights of a run, and of like runs, share theirs, so it is told once each. */
function overlapsWith(words: ReadonlySet<string>): (intent: string) => number {
  const known = new Map<string, number>();
  return (intent) => {
    const overlap = known.get(intent) ?? jaccard(words, contentWords(intent));
    known.set(intent, overlap);
    return overlap;
  };
}

function floorFor({ origin, insight }: SearchHit, agentType: string | undefined, config: RelevanceConfig): number {
  const byAgent =
    agentType === undefined || origin.agentType === undefined
      ? config.floor
      : agentType === origin.agentType
        ? config.sameAgentFloor
        : config.otherAgentFloor;
  if (insight.kind === 'pitfall' && handsInAnswer(insight.example ?? '')) return Math.max(byAgent, sameQuestion);
  return insight.polarity === 'failure' ? Math.max(byAgent, failureFloor) : byAgent;
}
