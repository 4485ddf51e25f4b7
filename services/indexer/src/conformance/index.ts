import type { VectorStore } from '../domain/ports.js';
import { describeConsolidating, describeConsolidatingInterleavings } from './describe-consolidating.js';
import { describeDecisions } from './describe-decisions.js';
import { describeErasing, describeErasureInterleavings } from './describe-erasing.js';
import { describeFeedback } from './describe-feedback.js';
import { describeInterleavings, describeVoteInterleavings } from './describe-interleavings.js';
import { describeLeases } from './describe-leases.js';
import { describeLessonInterleavings } from './describe-lesson-interleavings.js';
import { describeLessons } from './describe-lessons.js';
import { describeMarkers, describeMergingInterleavings } from './describe-markers.js';
import { describeNames } from './describe-names.js';
import { describeProtocols } from './describe-protocols.js';
import { describeCollections, describeRows } from './describe-rows.js';
import { describeSearching } from './describe-searching.js';
import { describeVotes } from './describe-votes.js';
import { aCollection, type ConformanceOptions, type OpenStore, type VectorStoreHarness } from './samples.js';

export { describeReindexing } from './describe-reindexing.js';
export {
  aCollection,
  aDeletion,
  aName,
  anInsight,
  aReplacement,
  aRow,
  aVector,
  byMeaning,
  byWords,
  conformanceModel,
  createDirectionEmbedder,
} from './samples.js';

/** Everything the port and the protocols on top of it promise, for any store. */
export function describeVectorStore(
  name: string,
  createHarness: () => Promise<VectorStoreHarness>,
  options: ConformanceOptions,
): void {
  describe(name, () => {
    let harness: VectorStoreHarness;
    let store: VectorStore;
    const opened: OpenStore = {
      get store() {
        return store;
      },
      async create(collectionName, account) {
        const collection = aCollection(collectionName, account);
        await store.createCollection(collection);
        return collection;
      },
      async reopen() {
        await store.close();
        store = await harness.open();
        return store;
      },
    };
    beforeAll(async () => {
      harness = await createHarness();
      store = await harness.open();
    });
    afterAll(async () => {
      await store.close();
      await harness.destroy();
    });

    describeCollections(opened);
    describeRows(opened);
    describeNames(opened);
    describeSearching(opened);
    describeProtocols(opened);
    describeVotes(opened);
    describeInterleavings(opened, options);
    describeVoteInterleavings(opened, options);
    describeMarkers(opened);
    describeLeases(opened);
    describeMergingInterleavings(opened, options);
    describeErasing(opened);
    describeConsolidating(opened);
    describeConsolidatingInterleavings(opened, options);
    describeErasureInterleavings(opened, options);
    describeLessons(opened);
    describeDecisions(opened);
    describeFeedback(opened);
    describeLessonInterleavings(opened, options);
  });
}
