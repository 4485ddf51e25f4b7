import { checkCancelled } from './check-cancelled.js';
import { storeRows } from './import-rows.js';
import { covers, embedIntent } from './intent/similarity.js';
import type { DeletionMarker, Embedder, Row, RowHead, VectorStore } from './ports.js';
import { deleteWithVotes, directionOfVotes, goneInsightsOf } from './votes.js';

interface ReindexDeps {
  source: VectorStore;
  target: VectorStore;
  /** Makes the vectors of the target. Absent: both hold vectors of one model, and they are taken over. */
  embedder?: Pick<Embedder, 'embed' | 'model'>;
}

export interface ReindexOptions {
  signal?: AbortSignal;
  /** Told after every batch. */
  onProgress?: (progress: ReindexProgress) => void;
}

interface ReindexProgress {
  rounds: number;
  /** Rows. */
  copied: number;
  /** Rows that were taken out of the target again, because they are gone from the source. */
  withdrawn: number;
  /** Deletion markers. */
  markers: number;
}

export interface ReindexResult extends ReindexProgress {
  /** Whether the last round found nothing left to do. If not, uploads came faster than rounds: run it again. */
  settled: boolean;
}

const batchRows = 300;
const mostRounds = 10;

/**
 * Brings knowledge from one store to another, as a rule from the shards of one embedding model to those of the next, while
 * the source serves. In rounds: each brings what the target lacks, until a round finds nothing, so that what was written
 * meanwhile comes along. As often as one likes, also when the target serves already.
 *
 * Deletions are honoured. A row that this run has brought and that is gone from the source is withdrawn. A row that was
 * brought earlier is withdrawn where a deletion of the source covers it, measured with the new vectors; what is left in the
 * source has survived those deletions and is brought, but not against deletions that only the target knows: those came
 * when it served already. Like `replace` this writes first and looks then. Votes come last, when the insights are there that
 * they are on. Rows of earlier versions arrive as this version would have written them.
 */
export async function reindex(deps: ReindexDeps, options: ReindexOptions = {}): Promise<ReindexResult> {
  const { source, target } = deps;
  const { signal, onProgress } = options;
  const brought = new Set<string>();
  const progress: ReindexProgress = { rounds: 0, copied: 0, withdrawn: 0, markers: 0 };
  let settled = false;

  async function moveCollection(collectionId: string, moved: DeletionMarker[]): Promise<number> {
    let changes = 0;
    const finish = async (missing: Row[], extra: RowHead[]) => {
      checkCancelled(signal);
      const copied = await bring(missing);
      const gone = extra.filter((head) => brought.has(head.id) || moved.some((marker) => covers(marker, head)));
      await withdraw(collectionId, gone);
      progress.copied += copied;
      progress.withdrawn += gone.length;
      changes += copied + gone.length;
      onProgress?.({ ...progress });
    };
    let votesAreMissing = false;
    let [missing, extra]: [Row[], RowHead[]] = [[], []];
    for await (const { onlyInSource, onlyInTarget } of compareCollection(source, target, collectionId)) {
      if (onlyInSource?.type === 'vote') votesAreMissing = true;
      else if (onlyInSource) missing.push(onlyInSource);
      if (onlyInTarget) extra.push(onlyInTarget);
      if (missing.length + extra.length < batchRows) continue;
      await finish(missing, extra);
      [missing, extra] = [[], []];
    }
    await finish(missing, extra);
    if (!votesAreMissing) return changes;
    let votes: Row[] = [];
    for await (const { onlyInSource } of compareCollection(source, target, collectionId)) {
      if (onlyInSource?.type === 'vote') votes.push(onlyInSource);
      if (votes.length < batchRows) continue;
      await finish(votes, []);
      votes = [];
    }
    await finish(votes, []);
    return changes;
  }

  async function withdraw(collectionId: string, gone: RowHead[]): Promise<void> {
    const ids = gone.map(({ id }) => id);
    const jobs = new Set(gone.filter(({ type }) => type === 'insight').map(({ jobId }) => jobId));
    const there = (await Promise.all([...jobs].map((jobId) => target.rowsOfJob(collectionId, jobId)))).flat();
    const left = there.filter(({ id }) => !ids.includes(id));
    await deleteWithVotes(target, collectionId, ids, goneInsightsOf(gone, left));
  }

  async function bring(rows: Row[]): Promise<number> {
    if (rows.length === 0) return 0;
    const vectors = await embedAll(deps.embedder, rows);
    const markersOf = (collectionId: string) => markersThatCount(deps, collectionId);
    const { stored } = await storeRows(target, vectors, markersOf);
    for (const { id } of rows) brought.add(id);
    return stored;
  }

  while (!settled && progress.rounds < mostRounds) {
    const copiedMarkers = await moveMarkers(deps);
    progress.markers += copiedMarkers.added;
    let changes = copiedMarkers.added;
    for (const collectionId of await source.listCollections()) {
      const moved = copiedMarkers.all.filter((marker) => marker.collectionId === collectionId);
      changes += await moveCollection(collectionId, moved);
    }
    progress.rounds++;
    settled = changes === 0;
  }
  return { ...progress, settled };
}

/** Equal intents, such as those of a run and its insights, are embedded once. A vote has none. */
async function embedAll(embedder: ReindexDeps['embedder'], rows: Row[]): Promise<Row[]> {
  if (!embedder) return rows;
  const vectors = new Map<string, Promise<Float32Array>>();
  for (const { intent, type } of rows) {
    if (type !== 'vote' && !vectors.has(intent)) vectors.set(intent, embedIntent(embedder, intent, 'background'));
  }
  const ofVotes = directionOfVotes(embedder.model.dimension);
  return Promise.all(
    rows.map(async (row) => ({
      ...row,
      vector: row.type === 'vote' ? ofVotes : await (vectors.get(row.intent) as Promise<Float32Array>),
    })),
  );
}

/** Adds to the target what it lacks of the source's markers; `all` are these in the target, with its vectors. */
async function moveMarkers({ source, target, embedder }: ReindexDeps) {
  const ofSource = await source.listMarkers();
  const wanted = new Set(ofSource.map(markerName));
  const there = new Set((await target.listMarkers()).map(markerName));
  const missing = ofSource.filter((marker) => !there.has(markerName(marker)));
  for (const marker of missing) {
    const vector = embedder ? await embedIntent(embedder, marker.intent, 'background') : marker.vector;
    await target.addMarker({ ...marker, vector });
  }
  const all = (await target.listMarkers()).filter((marker) => wanted.has(markerName(marker)));
  return { added: missing.length, all };
}

/** Of one model: all, measured as when they were made. Of two: those that came when the target served already. */
async function markersThatCount({ source, target, embedder }: ReindexDeps, collectionId: string) {
  const ofTarget = await target.markers(collectionId);
  if (!embedder) return ofTarget;
  const ofSource = new Set((await source.markers(collectionId)).map(markerName));
  return ofTarget.filter((marker) => !ofSource.has(markerName(marker)));
}

function markerName({ collectionId, intent, threshold, deletedAt }: DeletionMarker): string {
  return JSON.stringify([collectionId, deletedAt, threshold, intent]);
}

/** One row that only one of two stores has. */
interface Difference {
  onlyInSource?: Row;
  onlyInTarget?: RowHead;
}

const pageRows = 500;

/** Goes through a collection in two stores side by side, in the order of ids, and tells of every row that one of them lacks. */
async function* compareCollection(
  source: VectorStore,
  target: VectorStore,
  collectionId: string,
): AsyncGenerator<Difference> {
  const left = inOrder((page) => source.page(collectionId, page));
  const right = inOrder((page) => target.pageHeads(collectionId, page));
  let [ours, theirs] = [await left.next(), await right.next()];
  while (!ours.done || !theirs.done) {
    if (theirs.done || (!ours.done && ours.value.id < theirs.value.id)) {
      yield { onlyInSource: ours.value as Row };
      ours = await left.next();
    } else if (ours.done || theirs.value.id < ours.value.id) {
      yield { onlyInTarget: theirs.value };
      theirs = await right.next();
    } else [ours, theirs] = [await left.next(), await right.next()];
  }
}

async function* inOrder<Head extends { id: string }>(
  read: (page: { after?: string; limit: number }) => Promise<Head[]>,
): AsyncGenerator<Head, undefined> {
  let after: string | undefined;
  for (;;) {
    const page = await read({ limit: pageRows, ...(after === undefined ? {} : { after }) });
    yield* page;
    after = page.at(-1)?.id;
    if (page.length < pageRows) return undefined;
  }
}
