import { shortDigest, shortDigestLength } from '@whetstone/contracts';
import type { InsightBody, Row, RunBody, VectorStore } from '@whetstone/indexer';

import { rowsOf } from './collections.js';

/** What collections hold. Figures of several add up, except `mostExemplars`, `oldest` and `newest`. */
export interface KnowledgeStats {
  collections: number;
  runs: number;
  insights: number;
  votes: number;
  /** Distinct lessons. */
  lessons: number;
  /** Distinct tasks of each lesson, summed up. */
  exemplars: number;
  /** Of one lesson. */
  mostExemplars: number;
  /** Insights of an earlier version, which have no name yet. */
  unnamed: number;
  /** Consolidated insights. */
  consolidated: number;
  /** Runs that consolidated insights stand for, counted for each insight. */
  standFor: number;
  /** Votes that are counted in insights. */
  talliedVotes: number;
  /** Texts, bodies and vectors; indexes and free pages of the store come on top. */
  bytes: number;
  /** Rows that there would be without consolidation. */
  unconsolidatedRows: number;
  oldest: number | undefined;
  newest: number | undefined;
}

export const noStats: KnowledgeStats = {
  collections: 0,
  runs: 0,
  insights: 0,
  votes: 0,
  lessons: 0,
  exemplars: 0,
  mostExemplars: 0,
  unnamed: 0,
  consolidated: 0,
  standFor: 0,
  talliedVotes: 0,
  bytes: 0,
  unconsolidatedRows: 0,
  oldest: undefined,
  newest: undefined,
};

export async function readStats(store: VectorStore, collectionId: string): Promise<KnowledgeStats> {
  const stats = { ...noStats, collections: 1 };
  const tasks = new Map<string, Set<string>>();
  const runs = createRunCount();
  for await (const row of rowsOf(store, collectionId)) {
    stats.bytes += bytesOf(row);
    if (row.type === 'vote') stats.votes++;
    if (row.type === 'run') {
      stats.runs++;
      const { origin, answers } = JSON.parse(row.body) as RunBody;
      if (!answers) runs.add(1, shortDigest(origin.bodyDigest));
    }
    if (row.type === 'insight') addInsight(row, JSON.parse(row.body) as InsightBody);
  }
  stats.lessons = tasks.size;
  const counts = [...tasks.values()].map(({ size }) => size);
  stats.exemplars = counts.reduce((sum, count) => sum + count, 0);
  stats.mostExemplars = counts.reduce((most, count) => Math.max(most, count), 0);
  stats.unconsolidatedRows += runs.estimate() + stats.votes + stats.talliedVotes;
  return stats;

  function addInsight({ name, acceptedAt }: Row, { tally }: InsightBody): void {
    stats.insights++;
    stats.oldest = lowest(stats.oldest, acceptedAt);
    stats.newest = highest(stats.newest, tally?.lastSeen ?? acceptedAt);
    stats.unconsolidatedRows += tally?.runs ?? 1;
    const [lesson = '', , task = ''] = name.split('.');
    if (name === '') stats.unnamed++;
    else tasks.set(lesson, (tasks.get(lesson) ?? new Set()).add(task));
    if (!tally) return;
    stats.consolidated++;
    stats.standFor += tally.runs;
    stats.talliedVotes += (tally.votes?.helped ?? 0) + (tally.votes?.harmed ?? 0);
    runs.add(tally.runs, tally.digests);
  }
}

/**
 * Counts distinct runs: one that taught several insights is in several tallies. A tally lists its latest runs only; those
 * that it does not list are taken to repeat as often as the others.
 */
function createRunCount() {
  const distinct = new Set<string>();
  let [all, listed] = [0, 0];
  return {
    add(runs: number, digests: string): void {
      all += runs;
      for (let at = 0; at < digests.length; at += shortDigestLength) {
        distinct.add(digests.slice(at, at + shortDigestLength));
        listed++;
      }
    },
    estimate: () => (listed === 0 ? 0 : Math.round((distinct.size * all) / listed)),
  };
}

function bytesOf({ intent, text, body, vector }: Row): number {
  return Buffer.byteLength(intent) + Buffer.byteLength(text) + Buffer.byteLength(body) + vector.byteLength;
}

export function sumOf(all: readonly KnowledgeStats[]): KnowledgeStats {
  return all.reduce((sum, next) => {
    const added = Object.fromEntries(
      Object.entries(sum).map(([key, value]) => [key, Number(value) + Number(next[key as keyof KnowledgeStats])]),
    ) as unknown as KnowledgeStats;
    return {
      ...added,
      mostExemplars: Math.max(sum.mostExemplars, next.mostExemplars),
      oldest: lowest(sum.oldest, next.oldest),
      newest: highest(sum.newest, next.newest),
    };
  }, noStats);
}

function lowest(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}

function highest(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);
}
