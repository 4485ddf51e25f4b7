import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { projectFolder } from '../../support/product.js';
import type { StoredRow } from '../evidence.js';

const run = promisify(execFile);

/** What an operator learns with the command `whetstone`, told by its environment where the product is. */
export function createOperatorCommand(env: Record<string, string>) {
  async function whetstone(...args: string[]): Promise<string> {
    const command = [join(projectFolder, 'services/cli/bin/whetstone.mjs'), ...args];
    const { stdout } = await run(process.execPath, command, {
      env: { ...process.env, ...env },
      maxBuffer: 512 * 1024 * 1024,
      timeout: 120_000,
    });
    return stdout;
  }

  return {
    async exportRows(): Promise<StoredRow[]> {
      const lines = (await whetstone('knowledge', 'export')).split('\n').filter((line) => line !== '');
      return lines.map((line) => storedRowOf(JSON.parse(line) as ExportedRow));
    },
    async deadLetters(): Promise<string[]> {
      const printed = await whetstone('dead-letters', 'list', '--json');
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
