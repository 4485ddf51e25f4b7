import type { Row, VectorStore } from './ports.js';
import { insightNameOf, jobOfInsight } from './row-id.js';
import { voteOf } from './vote-rows.js';

/** The ids of those votes among the rows whose insight is not there, or that name none. Asked after they are written: strong. */
export async function votesOnNothing(
  store: VectorStore,
  collectionId: string,
  rows: readonly Row[],
): Promise<ReadonlySet<string>> {
  const votes = rows.filter(({ type }) => type === 'vote');
  const abouts = new Map(votes.map((row) => [row.id, voteOf(row)?.about]));
  const jobs = new Set([...abouts.values()].flatMap((about) => (about === undefined ? [] : jobOfInsight(about))));
  const there = new Set<string>();
  await Promise.all(
    [...jobs].map(async (jobId) => {
      for (const row of await store.rowsOfJob(collectionId, jobId)) {
        if (row.type === 'insight') there.add(insightNameOf(row));
      }
    }),
  );
  return new Set([...abouts].filter(([, about]) => about === undefined || !there.has(about)).map(([id]) => id));
}
