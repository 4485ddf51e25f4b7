import { exec } from 'node:child_process';
import { promisify } from 'node:util';

import { createOperator, type Operator } from '../../support/accounts.js';
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

const run = promisify(exec);

/** What an operator learns and does with the command `whetstone`. */
export interface OperatorCommand {
  operator: Operator;
  exportRows(): Promise<StoredRow[]>;
  deadLetters(): Promise<string[]>;
}

/** `command` is for a shell, and knows where the product is. */
export function createOperatorCommand(command: string): OperatorCommand {
  async function whetstone(args: string): Promise<string> {
    const { stdout } = await run(`${command} ${args}`, { maxBuffer: 512 * 1024 * 1024, timeout: 120_000 });
    return stdout;
  }

  return {
    operator: createOperator({
      issueKeyCommand: `${command} keys issue --account {account} --approved-by faults --reason test --json`,
      revokeKeyCommand: `${command} keys revoke --key-id {key_id} --reason test --json`,
      openErrorCommand: `${command} errors open {sealed}`,
    }),
    async exportRows() {
      const lines = (await whetstone('knowledge export')).split('\n').filter((line) => line !== '');
      return lines.map((line) => storedRowOf(JSON.parse(line) as ExportedRow));
    },
    async deadLetters() {
      const printed = await whetstone('dead-letters list --json');
      return (JSON.parse(printed) as { dead_letters: { reason: string }[] }).dead_letters.map(({ reason }) => reason);
    },
  };
}

interface ExportedRow {
  collection_id: string;
  job_id: string;
  attempt: string;
  ordinal: number;
  type: string;
  vector: unknown;
}

function storedRowOf({ vector: _, ...row }: ExportedRow): StoredRow {
  const { collection_id: collectionId, job_id: jobId, attempt, ordinal, type } = row;
  const id = [collectionId, jobId, attempt, ordinal].join('/');
  return { id, collectionId, jobId, attempt, type, text: JSON.stringify(row) };
}

export function linesWith(words: string, text: string): string[] {
  return text.split('\n').filter((line) => line.includes(words));
}
