import { exec } from 'node:child_process';
import { promisify } from 'node:util';

import { createOperator, type Operator } from '../../support/accounts.js';
import type { StoredRow } from '../evidence.js';
import type { Supervised } from './supervise.js';

/** The product under test, as callers, operators and the checker see it. */
export interface Installation {
  readonly name: string;
  /** Every gateway's own address. */
  readonly gateways: readonly string[];
  /** The address for callers: one in front of all gateways, or the only one. */
  readonly front: string;
  readonly operator: Operator;
  /** All rows, from an operator's export. */
  exportRows(): Promise<StoredRow[]>;
  /** Log lines that contain these words, process by process. */
  logged(words: string): string[];
}

/** With the controls that faults need. */
export interface System extends Installation {
  /** The product's processes, restarted when they end, as Kubernetes or systemd would. */
  readonly processes: readonly Supervised[];
  /** The reasons of all dead letters. */
  deadLetters(): Promise<string[]>;
  /** Appends these values to every partition of the uploads, past the gateways; returns the number of events. */
  poisonUploads(values: readonly Uint8Array[]): Promise<number>;
  /** Redelivers the whole log from the beginning. */
  rewind(): Promise<void>;
  /** Runs the work while uploads are accepted but not analysed. */
  withoutAnalysis(work: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

const run = promisify(exec);

/** What an operator does with the `whetstone` command. */
export interface OperatorCommand {
  operator: Operator;
  exportRows(): Promise<StoredRow[]>;
  deadLetters(): Promise<string[]>;
}

/** @param command shell command with the settings of the product */
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
