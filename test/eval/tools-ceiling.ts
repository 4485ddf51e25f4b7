import { usesSimilarTools } from './actions.js';
import type { Domain } from './domain.js';
import { decisiveAction } from './interaction.js';

/** The best possible for held-out tasks of a domain: some stored success uses the tools of a winner. */
export function toolsCeiling(domains: readonly Domain[], name: string): number {
  const domain = domains.find((candidate) => candidate.name === name);
  const reached = (domain?.folds ?? []).flatMap(({ stored, heldOut }) => {
    const actions = new Set(stored.filter(({ upload }) => upload.success).flatMap((run) => decisiveAction(run) ?? []));
    const tasks = [...new Set(heldOut.map(({ labels }) => labels.task))];
    const winners = tasks.map((task) => domain?.winnersOf(task) ?? []).filter((own) => own.length > 0);
    return winners.map((own) => [...actions].some((action) => own.some((winner) => usesSimilarTools(action, winner))));
  });
  return reached.filter(Boolean).length / Math.max(1, reached.length);
}
