import { checkCancelled } from './check-cancelled.js';
import { storeRows } from './import-rows.js';
import { covers } from './intent-match.js';
import type { Row, VectorStore } from './ports.js';
import { upgradedRow } from './row-bodies.js';

export interface UpgradeDeps {
  store: VectorStore;
}

export interface UpgradeOptions {
  signal?: AbortSignal;
  /** Told after every page. */
  onProgress?: (progress: UpgradeResult) => void;
}

export interface UpgradeResult {
  upgraded: number;
}

const pageRows = 300;

/**
 * Writes the rows of earlier versions anew, as this version would have written them, while the store serves. As often as one
 * likes: a row that has nothing to gain is left alone.
 *
 * Like `replace` this writes first and looks then: a row that a deletion or a later attempt takes away meanwhile does not come
 * back. One that a deletion covers already is left as it is: it was brought back on purpose, or is about to go.
 */
export async function upgradeRows(
  { store }: UpgradeDeps,
  { signal, onProgress }: UpgradeOptions = {},
): Promise<UpgradeResult> {
  let upgraded = 0;

  async function upgradePage(collectionId: string, page: Row[]): Promise<void> {
    const markers = await store.markers(collectionId);
    const better = page.filter((row) => upgradedRow(row) !== row && !markers.some((marker) => covers(marker, row)));
    if (better.length > 0) {
      const { stored } = await storeRows(store, better, (id) => store.markers(id));
      upgraded += stored;
    }
    onProgress?.({ upgraded });
  }

  for (const collectionId of await store.listCollections()) {
    let after: string | undefined;
    do {
      checkCancelled(signal);
      const page = await store.page(collectionId, { limit: pageRows, ...(after === undefined ? {} : { after }) });
      await upgradePage(collectionId, page);
      after = page.length < pageRows ? undefined : page.at(-1)?.id;
    } while (after !== undefined);
  }
  return { upgraded };
}
