import type { Operator } from '../../support/operator.js';
import type { StoredRow } from '../evidence.js';
import type { Supervised } from './supervise.js';

/** A whole product under test, as callers, operators and the checker see it. */
export interface Installation {
  readonly name: string;
  /** Every gateway's own address. */
  readonly gateways: readonly string[];
  /** The address for callers: one in front of all gateways, or the only one. */
  readonly front: string;
  readonly operator: Operator;
  /** The rows of all collections, as an operator's export shows them. */
  exportRows(): Promise<StoredRow[]>;
  /** The lines that processes have logged with these words in them, in the order of processes. */
  logged(words: string): string[];
}

/** One with the handles that faults need. */
export interface System extends Installation {
  /** The product's own processes. One that ends is started again, as Kubernetes or systemd would. */
  readonly processes: readonly Supervised[];
  /** The reasons of all dead letters. */
  deadLetters(): Promise<string[]>;
  /** Writes these values beside the gateways, into every partition of the uploads. How many events that were. */
  poisonUploads(values: readonly Uint8Array[]): Promise<number>;
  /** Has everything in the log delivered again from its beginning. */
  rewind(): Promise<void>;
  /** Does something while uploads are accepted and nobody analyses them. */
  withoutAnalysis(work: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}
