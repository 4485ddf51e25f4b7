import { exec } from 'node:child_process';
import { promisify } from 'node:util';

import { createOperator, type Operator } from '../../support/operator.js';
import type { StoredRow } from '../evidence.js';

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
