import type { Group } from './consolidate.js';
import { cosine } from './intent/similarity.js';
import type { Row } from './ports.js';
import { bodyOf } from './repair.js';
import { tallyOf } from './tally.js';

/** Of one lesson at nearly the same task, so many wordings of the task are kept. */
export const maxWordings = 4;
/** Tasks of this similarity are the same in other words, given that the very same was done at both. */
const sameTask = 0.95;

/** The name without its task. */
export function variantOf(name: string): string {
  return name.slice(0, name.lastIndexOf('.'));
}

/**
 * Groups the insights of one variant for merging: where many wordings lie close together, the latest and the most
 * unlike stay, and each of the others joins the nearest of them.
 */
export function groupWordings(rows: Row[]): Group[] {
  return clustersOf(rows).flatMap((cluster) => {
    if (cluster.length <= maxWordings) return [];
    const kept = keptOf(cluster);
    const groups = new Map(kept.map((row) => [row, { shown: row, sources: [row] }]));
    for (const row of cluster) {
      if (kept.includes(row)) continue;
      const nearest = kept.reduce((best, next) => (near(next, row) > near(best, row) ? next : best));
      groups.get(nearest)?.sources.push(row);
    }
    return [...groups.values()].filter(({ sources }) => sources.length > 1);
  });
}

/** Around the earliest, which do not change as rows are added. */
function clustersOf(rows: readonly Row[]): Row[][] {
  const clusters: Row[][] = [];
  for (const row of [...rows].sort((a, b) => a.acceptedAt - b.acceptedAt || (a.id < b.id ? -1 : 1))) {
    const cluster = clusters.find(([first]) => near(first as Row, row) >= sameTask);
    if (cluster) cluster.push(row);
    else clusters.push([row]);
  }
  return clusters;
}

function keptOf(cluster: readonly Row[]): Row[] {
  const lastSeen = (row: Row) => tallyOf(bodyOf(row)).lastSeen;
  const kept = [cluster.reduce((latest, next) => (lastSeen(next) > lastSeen(latest) ? next : latest))];
  const nearness = (row: Row) => Math.max(...kept.map((other) => near(other, row)));
  while (kept.length < maxWordings) {
    const others = cluster.filter((row) => !kept.includes(row));
    kept.push(others.reduce((unlike, next) => (nearness(next) < nearness(unlike) ? next : unlike)));
  }
  return kept;
}

function near(a: Row, b: Row): number {
  return cosine(a.vector, b.vector);
}
