import type { EventLog } from '@whetstone/event-log';
import type { RootSecrets } from '@whetstone/identity';
import type { Embedder, VectorStore } from '@whetstone/indexer';

/** What commands work on, and all that they know of where it lives: in a data folder, or on a cluster. */
export interface Installation {
  /** Opens these parts for as long as the work takes. A mistake in the configuration of any of them is found before. */
  use<Name extends PartName, Result>(
    names: readonly Name[],
    work: (parts: Pick<Parts, Name>) => Promise<Result>,
  ): Promise<Result>;
}

export interface Parts {
  roots: RootSecrets;
  log: EventLog;
  knowledge: Knowledge;
}

export type PartName = keyof Parts;

export interface Knowledge {
  store: VectorStore;
  /** What the vectors of this store are made by. */
  model: Embedder['model'];
  /** Loaded when it is first asked for: most exports and imports need no model. */
  embedder(): Promise<Embedder>;
}
