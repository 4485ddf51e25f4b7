import type { VectorStore } from '../domain/ports.js';

export const conformanceModel = { name: 'conformance', dimension: 32 };

/** How a suite gets at the store under test. Each harness has data of its own. */
export interface VectorStoreHarness {
  /** Opens the store for `conformanceModel`; called again after `close`, it finds the same data. */
  open(): Promise<VectorStore>;
  /** Removes the data; what was opened has been closed. */
  destroy(): Promise<void>;
}

export interface ConformanceOptions {
  /** Interleavings that are tried: all of them, or so many drawn at random (reproducibly). */
  interleavings: 'all' | number;
}

/** What is open while the tests of one block run. */
export interface OpenStore {
  readonly store: VectorStore;
  reopen(): Promise<VectorStore>;
}
