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
  topics: Topics;
  knowledge: Knowledge;
  reindexing: Reindexing;
}

export type PartName = keyof Parts;

/** The topics of the log. */
export interface Topics {
  /**
   * Makes those that are missing and checks those that are there. Rejects with AppError `invalid_argument` that names
   * everything in which they promise less than production needs, unless that is accepted.
   */
  apply(options: { acceptWeaker: boolean }): Promise<AppliedTopic[]>;
}

export interface AppliedTopic {
  topic: string;
  created: boolean;
  /** In what it promises less; only where that was accepted. */
  weaknesses: string[];
}

export interface Knowledge {
  store: VectorStore;
  /** What the vectors of this store are made by. */
  model: Embedder['model'];
  /** Loaded when it is first asked for: most exports and imports need no model. */
  embedder(): Promise<Embedder>;
}

export interface Reindexing {
  /** How the vectors of the configuration are made and kept, in words. */
  readonly target: string;
  /** Rejects with the reason where knowledge cannot be served that way. Changes nothing. */
  check(): Promise<void>;
  /** Knowledge that is kept otherwise, and so not found. */
  sources(): Promise<OldKnowledge[]>;
  /** Writes rows of earlier versions that are kept as configured anew, so that they say all that this version says. */
  upgrade(options: UpgradeOptions): Promise<UpgradeResult>;
}

/** What another embedding model has made, or what is spread over another number of shards. It may be served meanwhile. */
export interface OldKnowledge {
  /** Different for each, in words that people can write. */
  readonly name: string;
  readonly model: string;
  /** Brings what the target lacks; as often as one likes. */
  move(options: ReindexOptions): Promise<ReindexResult>;
  /** For good. */
  remove(): Promise<void>;
}

export interface OpenPart<Part> {
  part: Part;
  close(): Promise<void>;
}

/** How an installation opens each of its parts. */
export type PartOpeners = { readonly [Name in PartName]: () => Promise<OpenPart<Parts[Name]>> };

/** Opens the parts one after another, and closes in reverse whatever was opened. */
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
