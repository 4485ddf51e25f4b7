import { checkCancelled } from './check-cancelled.js';
import { deleteWithVotes } from './delete-rows.js';
import { storeRows } from './import-rows.js';
import { embedIntent } from './intent/similarity.js';
import { covers, erases, erasingMarker, isOfLesson, lessonMarker, replaces } from './markers.js';
import type { DeletionMarker, Embedder, PageOptions, Row, RowHead, VectorStore } from './ports.js';
import { hasIntent } from './row-bodies.js';
import { pagesOf } from './rows.js';
import { voteVector } from './votes.js';

interface ReindexDeps {
  source: VectorStore;
  target: VectorStore;
  /** Embeds for the target. Absent: both stores use the same model, and vectors are copied. */
  embedder?: Pick<Embedder, 'embed' | 'model'>;
}

export interface ReindexOptions {
  signal?: AbortSignal;
  /** Called after every batch. */
  onProgress?: (progress: ReindexProgress) => void;
}

interface ReindexProgress {
  rounds: number;
  /** Rows. */
  copied: number;
  /** Rows removed from the target because they are gone from the source. */
  withdrawn: number;
  /** Deletion markers. */
  markers: number;
}

export interface ReindexResult extends ReindexProgress {
  /** True if the last round found nothing to do. If false, uploads outpaced the rounds: run it again. */
  settled: boolean;
}

const batchRows = 300;
const maxRounds = 10;

/**
 * Copies knowledge from one store to another, usually from one embedding model to the next, while the source serves.
 * Each round copies what the target lacks, until a round finds nothing, so that concurrent writes are included.
 * Idempotent, even if the target already serves.
 *
 * Deletions are respected. A row copied by this run is withdrawn once it is gone from the source. A row copied earlier
 * is withdrawn if a deletion in the source covers it, measured with the new vectors. Rows still in the source have
 * survived its deletions and are copied, unless a deletion known only to the target covers them: that one was made
 * while the target already served. Like `replace` this writes first and checks afterwards. Votes come last, after their
 * insights. Rows of earlier versions arrive in the current format.
 */
export async function reindex(deps: ReindexDeps, options: ReindexOptions = {}): Promise<ReindexResult> {
  const { source, target } = deps;
  const { signal, onProgress } = options;
  const copiedIds = new Set<string>();
  const progress: ReindexProgress = { rounds: 0, copied: 0, withdrawn: 0, markers: 0 };
  let settled = false;

  async function copyCollection(collectionId: string, markers: DeletionMarker[]): Promise<number> {
    let changes = 0;
    const flush = async (missing: Row[], extra: RowHead[]) => {
      checkCancelled(signal);
      const copied = await copyRows(missing);
      const gone = extra.filter((head) => copiedIds.has(head.id) || markers.some((marker) => covers(marker, head)));
      await deleteWithVotes(target, collectionId, gone, { decisions: true });
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
      await flush(missing, extra);
      [missing, extra] = [[], []];
    }
    await flush(missing, extra);
    if (!votesAreMissing) return changes;
    let votes: Row[] = [];
    for await (const { onlyInSource } of compareCollection(source, target, collectionId)) {
      if (onlyInSource?.type === 'vote') votes.push(onlyInSource);
      if (votes.length < batchRows) continue;
      await flush(votes, []);
      votes = [];
    }
    await flush(votes, []);
    return changes;
  }

  async function copyRows(rows: Row[]): Promise<number> {
    if (rows.length === 0) return 0;
    const vectors = await embedAll(deps.embedder, rows);
    const markersOf = (collectionId: string) => applicableMarkers(deps, collectionId);
    const { stored } = await storeRows(target, vectors, markersOf);
    for (const { id } of rows) copiedIds.add(id);
    return stored;
  }

  while (!settled && progress.rounds < maxRounds) {
    const copiedMarkers = await copyMarkers(deps);
    progress.markers += copiedMarkers.added;
    let changes = copiedMarkers.added;
    // An erased collection is gone from the source, and only its marker tells that its copy has to go, too.
    const erased = copiedMarkers.all.filter(erases).map(({ collectionId }) => collectionId);
    for (const collectionId of new Set([...(await source.listCollections()), ...erased])) {
      const markers = copiedMarkers.all.filter((marker) => marker.collectionId === collectionId);
      changes += await copyCollection(collectionId, markers);
    }
    progress.rounds++;
    settled = changes === 0;
  }
  return { ...progress, settled };
}

/** Embeds each distinct intent once. */
async function embedAll(embedder: ReindexDeps['embedder'], rows: Row[]): Promise<Row[]> {
  if (!embedder) return rows;
  const vectors = new Map<string, Promise<Float32Array>>();
  for (const { intent } of rows.filter(hasIntent)) {
    if (!vectors.has(intent)) vectors.set(intent, embedIntent(embedder, intent, 'background'));
  }
  const shared = voteVector(embedder.model.dimension);
  return Promise.all(
    rows.map(async (row) => ({
      ...row,
      vector: hasIntent(row) ? await (vectors.get(row.intent) as Promise<Float32Array>) : shared,
    })),
  );
}

/** Copies missing markers to the target; `all` are the source's markers as the target holds them. */
async function copyMarkers({ source, target, embedder }: ReindexDeps) {
  const ofSource = await source.listMarkers(0);
  const wanted = new Set(ofSource.map(markerName));
  const there = new Set((await target.listMarkers(0)).map(markerName));
  const missing = ofSource.filter((marker) => !there.has(markerName(marker)));
  for (const marker of missing) await target.addMarker(embedder ? await embedMarker(embedder, marker) : marker);
  const all = (await target.listMarkers(0)).filter((marker) => wanted.has(markerName(marker)));
  return { added: missing.length, all };
}

async function embedMarker(embedder: Pick<Embedder, 'embed' | 'model'>, marker: DeletionMarker) {
  const { collectionId, deletedAt, intent } = marker;
  if (erases(marker)) return erasingMarker(collectionId, deletedAt, embedder.model.dimension);
  if (isOfLesson(marker)) return lessonMarker(collectionId, intent, deletedAt, embedder.model.dimension);
  return { ...marker, vector: await embedIntent(embedder, intent, 'background') };
}

/**
 * With one model, all markers of the target. With two, only those made in the target while it served: not those of the
 * source, nor those that the source has replaced since they were copied.
 */
async function applicableMarkers({ source, target, embedder }: ReindexDeps, collectionId: string) {
  const ofTarget = await target.markers(collectionId, 0);
  if (!embedder) return ofTarget;
  const ofSource = await source.markers(collectionId, 0);
  const names = new Set(ofSource.map(markerName));
  return ofTarget.filter((marker) => !names.has(markerName(marker)) && !ofSource.some((one) => replaces(one, marker)));
}

function markerName({ collectionId, intent, threshold, deletedAt }: DeletionMarker): string {
  return JSON.stringify([collectionId, deletedAt, threshold, intent]);
}

/** A row that only one of the two stores has. */
interface Difference {
  onlyInSource?: Row;
  onlyInTarget?: RowHead;
}

const pageRows = 500;

/** Walks a collection in both stores by id and yields every row that one of them lacks. */
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
  read: (page: PageOptions) => Promise<Head[]>,
): AsyncGenerator<Head, undefined> {
  for await (const page of pagesOf(read, pageRows)) yield* page;
  return undefined;
}
