import type { SearchHit } from '@whetstone/contracts';

import { contentWords, jaccard } from './content-words.js';

export interface RelevanceConfig {
  /** Cosine below which nothing is said. Neighbouring domains meet at up to 0.6. */
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
}

/** Words decide where meaning is in doubt: so much overlap lowers the floor by so much. */
const telling = { overlap: 0.35, discount: 0.05 };
const wordsWeight = 0.2;
/** A lesson that hardly trusts itself is told only where the task is nearly the same. */
const doubtful = { confidence: 0.3, floor: 0.75 };
/** What went wrong in a task that is only roughly alike is no warning for this one. */
const warningFloor = 0.55;

/** The hits that have something to do with the task, with how much. */
export function relevantHits(
  hits: readonly SearchHit[],
  task: { text: string; agentType?: string },
  config: RelevanceConfig,
): RelevantHit[] {
  const overlapOf = overlapsWith(contentWords(task.text));
  return hits.flatMap((hit) => {
    // Most of what a search brings is far below any floor: its words are not worth counting.
    if (hit.similarity < floorFor(hit, task.agentType, 1, config)) return [];
    const overlap = overlapOf(hit.intent);
    if (hit.similarity < floorFor(hit, task.agentType, overlap, config)) return [];
    return [{ hit, relevance: Math.min(1, hit.similarity * (1 - wordsWeight) + overlap * wordsWeight) }];
  });
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

function floorFor(
  { origin, insight }: SearchHit,
  agentType: string | undefined,
  overlap: number,
  config: RelevanceConfig,
): number {
  const byAgent =
    agentType === undefined || origin.agentType === undefined
      ? config.floor
      : agentType === origin.agentType
        ? config.sameAgentFloor
        : config.otherAgentFloor;
  const byWords = overlap >= telling.overlap ? byAgent - telling.discount : byAgent;
  if (insight.confidence < doubtful.confidence) return Math.max(byWords, doubtful.floor);
  return insight.kind === 'pitfall' ? Math.max(byWords, warningFloor) : byWords;
}
