import type { EventLog } from '@whetstone/event-log';
import type { RootSecrets } from '@whetstone/identity';
import type {
  Embedder,
  ReindexOptions,
  ReindexResult,
  UpgradeOptions,
  UpgradeResult,
  VectorStore,
} from '@whetstone/indexer';
import type { CollectionNames } from '../collection-names.js';
import type { CliIo } from '../io.js';

/** What commands work on: a data folder or a cluster, which they cannot tell apart. */
export interface Installation {
  /** Opens these parts for the duration of the work. Checks the configuration of all of them first. */
  use<Name extends PartName, Result>(
    names: readonly Name[],
    work: (parts: Pick<Parts, Name>) => Promise<Result>,
  ): Promise<Result>;
}

interface Parts {
  roots: RootSecrets;
  log: EventLog;
  topics: Topics;
  knowledge: Knowledge;
  reindexing: Reindexing;
}

export type PartName = keyof Parts;

export interface Topics {
  /**
   * Creates missing topics and checks existing ones. Rejects with AppError `invalid_argument` that lists every weakness,
   * unless that is accepted.
   */
  apply(options: { acceptWeaker: boolean }): Promise<AppliedTopic[]>;
}

export interface AppliedTopic {
  topic: string;
  created: boolean;
  /** Accepted weaknesses. */
  weaknesses: string[];
}

export interface Knowledge {
  store: VectorStore;
  model: Embedder['model'];
  /** Loaded on first use: most exports and imports need no model. */
  embedder(): Promise<Embedder>;
  /** Of the store's file, with what was written to it last; absent in a cluster. */
  fileBytes?(): Promise<number>;
  /** Absent in a cluster, where the store is apart from the log. */
  collectionNames?(io: Pick<CliIo, 'stderr'>): Promise<CollectionNames>;
}

export interface Reindexing {
  /** Describes how the configuration makes and stores vectors. */
  readonly target: string;
  /** Rejects with the reason if knowledge cannot be served that way. Changes nothing. */
  check(): Promise<void>;
  /** Knowledge stored for other configurations, which is not served. */
  sources(): Promise<OldKnowledge[]>;
  /** Upgrades rows of earlier versions in place. */
  upgrade(options: UpgradeOptions): Promise<UpgradeResult>;
}

/** Knowledge of another embedding model or number of shards. Old indexers may still serve it. */
export interface OldKnowledge {
  /** Unique, and easy to type. */
  readonly name: string;
  readonly model: string;
  /** Copies what the target lacks. Can be repeated. */
  move(options: ReindexOptions): Promise<ReindexResult>;
  remove(): Promise<void>;
}

export interface OpenPart<Part> {
  part: Part;
  close(): Promise<void>;
}

export type PartOpeners = { readonly [Name in PartName]: () => Promise<OpenPart<Parts[Name]>> };

/** Opens the parts in order and closes them in reverse. */
export async function useParts<Name extends PartName, Result>(
  openers: PartOpeners,
  [name, ...others]: readonly Name[],
  work: (parts: Pick<Parts, Name>) => Promise<Result>,
): Promise<Result> {
  if (name === undefined) return work({} as Pick<Parts, Name>);
  const { part, close } = await openers[name]();
  try {
    return await useParts(openers, others, (parts) => work({ ...parts, [name]: part }));
  } finally {
    await close();
  }
}
