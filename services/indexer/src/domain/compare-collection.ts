import type { Row, RowHead, VectorStore } from './ports.js';

/** One row that only one of two stores has. */
export interface Difference {
  onlyInSource?: Row;
  onlyInTarget?: RowHead;
}

const pageRows = 500;

/** Goes through a collection in two stores side by side, in the order of ids, and tells of every row that one of them lacks. */
export async function* compareCollection(
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
