import { plainSpaces } from './actions.js';
import { sampled, shuffled } from './chance.js';
import type { Interaction } from './interaction.js';

/** The attempts of one domain and the questions about them. */
export interface Domain {
  name: string;
  interactions: readonly Interaction[];
  /** Distinct actions that made an attempt at the task succeed, with white space collapsed. */
  winnersOf(task: string): readonly string[];
  /** The tasks in this many folds of about equal size. */
  folds: readonly Fold[];
}

export interface Fold {
  /** From attempts at other tasks only. */
  collection: string;
  stored: readonly Interaction[];
  heldOut: readonly Interaction[];
}

/** A repeated text is asked once and counts once per attempt. */
export interface Asking {
  interaction: Interaction;
  times: number;
}

export function divideIntoDomains(interactions: readonly Interaction[], foldCount: number, seed: number): Domain[] {
  const names = [...new Set(interactions.map(({ labels }) => labels.domain))];
  return names.map((name) => {
    const own = interactions.filter(({ labels }) => labels.domain === name);
    return describeDomain(name, own, foldCount, seed);
  });
}

function describeDomain(name: string, interactions: readonly Interaction[], foldCount: number, seed: number): Domain {
  const winners = new Map<string, Set<string>>();
  for (const { labels } of interactions) {
    if (labels.winner === undefined) continue;
    winners.set(labels.task, (winners.get(labels.task) ?? new Set()).add(plainSpaces(labels.winner)));
  }
  const tasks = shuffled([...new Set(interactions.map(({ labels }) => labels.task))], seed);
  const foldOf = new Map(tasks.map((task, index) => [task, index % foldCount]));
  return {
    name,
    interactions,
    winnersOf: (task) => [...(winners.get(task) ?? [])],
    folds: Array.from({ length: Math.min(foldCount, tasks.length) }, (_, fold) => ({
      collection: `${name}-without-${fold + 1}`,
      stored: interactions.filter(({ labels }) => foldOf.get(labels.task) !== fold),
      heldOut: interactions.filter(({ labels }) => foldOf.get(labels.task) === fold),
    })),
  };
}

export function askingsOf(interactions: readonly Interaction[], limit: number, seed: number): Asking[] {
  const askings = new Map<string, Asking>();
  for (const interaction of interactions) {
    const text = `${interaction.labels.task}\n${interaction.upload.query}`;
    const known = askings.get(text);
    askings.set(text, { interaction: known?.interaction ?? interaction, times: (known?.times ?? 0) + 1 });
  }
  return sampled([...askings.values()], limit, seed);
}
