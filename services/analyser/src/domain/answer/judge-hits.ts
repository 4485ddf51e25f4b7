import { type Insight, oldRule, type SearchHit } from '@whetstone/contracts';
import { exampleDeeds } from '@whetstone/reading';

import type { Difference, Related, TaskRelations } from './relate-tasks.js';
import { withSwaps } from './swap-values.js';

export interface NearnessConfig {
  /** Nearness below which nothing is said. Neighbouring domains meet at a cosine of up to 0.6. */
  floor: number;
  /** The same for insights of the very agent type that asks: the domain is known to be the same. */
  sameAgentFloor: number;
  /** And for those of an agent type that is known to be another. */
  otherAgentFloor: number;
}

/** A hit that has something to do with the task. */
export interface JudgedHit {
  hit: SearchHit;
  insight: Insight;
  /** To the task asked about. */
  relation: 'same' | 'variant' | 'alike';
  /** At the very task, in the same words: its values are those of the task. */
  verbatim: boolean;
  /** Its task plainly asks for the same kind of thing. */
  agrees: boolean;
  /** Its task differs in one word, and what it did changes nothing: it may be shown, with the difference. */
  difference?: Difference;
  /** How near its task is, 0 to 1. */
  nearness: number;
  /** With the values of the task asked about in their places. */
  example?: string;
  /** What its example does, likewise. */
  forms: readonly string[];
}

/** Words decide where meaning is in doubt: a floor is held against the cosine and this part of the words that both share. */
const wordsAgainstFloor = 0.5;
const wordsInNearness = 0.2;
/** A lesson that hardly trusts itself is told at its own task only. */
export const doubtful = 0.3;

/** Of tasks that are only alike, the nearest few have all there is to say. */
const mostAlike = 12;

/** The hits that have something to say about the task, nearest first. Whatever would do the opposite of it is none of them. */
export function judgeHits(
  hits: readonly SearchHit[],
  { relations, agentType }: { relations: TaskRelations; agentType?: string | undefined },
  config: NearnessConfig,
): JudgedHit[] {
  const alike = new Set<string>();
  return nearOnes(hits, relations, (hit) => floorFor(hit, agentType, config)).flatMap(({ hit, nearness }) => {
    const { insight, intent, similarity } = hit;
    if (!relations.isOwn(intent, similarity)) {
      // What failed at another task says nothing of this one, nor does what hardly trusts itself.
      if (insight.polarity === 'failure' || insight.confidence < doubtful) return [];
      if (alike.size >= mostAlike && !alike.has(intent)) return [];
      alike.add(intent);
    }
    const judged = judge(insight, relations.relate(intent, similarity));
    return judged ? [{ ...judged, hit, nearness }] : [];
  });
}

function nearOnes(hits: readonly SearchHit[], relations: TaskRelations, floorOf: (hit: SearchHit) => number) {
  const near = hits.flatMap((hit) => {
    // What is about a form or an agent does not depend on the task.
    if (hit.insight.scope === 'format' || hit.insight.scope === 'agent') return [];
    const floor = floorOf(hit);
    // Most of what a search brings is far below any floor: its words are not worth counting.
    if (hit.similarity + wordsAgainstFloor < floor) return [];
    const overlap = relations.overlapWith(hit.intent);
    if (hit.similarity + wordsAgainstFloor * overlap < floor) return [];
    const nearness = Math.min(1, hit.similarity * (1 - wordsInNearness) + overlap * wordsInNearness);
    return [{ hit, nearness }];
  });
  return near.sort((a, b) => b.nearness - a.nearness);
}

type Judgement = Omit<JudgedHit, 'hit' | 'nearness'>;

function judge(stored: Insight, related: Related): Judgement | undefined {
  if (related.relation === 'none') return undefined;
  const { agrees } = related;
  const fitted = fitToTask(stored, related);
  const { insight } = fitted;
  if (fitted.relation !== 'alike') return { ...fitted, agrees };
  if (insight.polarity === 'failure' || insight.confidence < doubtful) return undefined;
  // Where it cannot be told whether both want the same, what changes something may be the wrong thing to do: younger, older.
  const { difference, leadsOtherwise } = related;
  if (insight.effects.length > 0) {
    // Of a call only its shape is told, without the value that the word may stand for.
    const isTold = agrees && !leadsOtherwise && (!difference || insight.rule === 'calls');
    return isTold ? { ...fitted, agrees } : undefined;
  }
  return { ...fitted, agrees, ...(agrees && difference && { difference }) };
}

/** How the example serves the new task: as it stands, with the new values in it, or as that of another task. */
function fitToTask(stored: Insight, related: Related): Omit<Judgement, 'agrees'> {
  const insight = typed(stored);
  const { example, actions } = insight;
  const asItStands = { insight, verbatim: false, forms: actions, ...(example === undefined ? {} : { example }) };
  const elsewhere = { ...asItStands, relation: 'alike' } as const;
  // To change something under another verb, or to destroy, takes more than a likely paraphrase.
  const destroys = insight.effects.includes('destroys') || insight.effects.includes('destroys_all');
  const isDoubtful = !related.wordForWord && (destroys || (insight.effects.length > 0 && related.leadsOtherwise));
  if (related.relation === 'same')
    return isDoubtful ? elsewhere : { ...asItStands, relation: 'same', verbatim: related.verbatim };
  if (related.relation !== 'variant') return elsewhere;
  // Words alone are about the values that they were said of: the capital of Peru is not that of Chile.
  const swapped = example === undefined ? undefined : withSwaps(example, related.swaps);
  if (swapped === undefined) return elsewhere;
  return { insight, relation: 'variant', verbatim: true, example: swapped, forms: exampleDeeds(swapped).actions };
}

/** Rows from before lessons had types: what their examples do is read when they are. */
function typed(insight: Insight): Insight {
  return insight.rule === oldRule && insight.example !== undefined
    ? { ...insight, ...exampleDeeds(insight.example) }
    : insight;
}

function floorFor({ origin }: SearchHit, agentType: string | undefined, config: NearnessConfig): number {
  if (agentType === undefined || origin.agentType === undefined) return config.floor;
  return agentType === origin.agentType ? config.sameAgentFloor : config.otherAgentFloor;
}
