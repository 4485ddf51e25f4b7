import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import type { Target } from './target.js';

const run = promisify(execFile);

export interface IssuedKey {
  key: string;
  keyId: string;
  account: string;
}

/** What an operator does by command, not over HTTP. */
export interface Operator {
  issueKey(account: string): Promise<IssuedKey>;
  revokeKey(keyId: string): Promise<void>;
  openError(sealed: string): Promise<string>;
}

export function createOperator(
  commands: Pick<Target, 'issueKeyCommand' | 'revokeKeyCommand' | 'openErrorCommand'>,
): Operator {
  return {
    async issueKey(account) {
      const printed = await shell(commands.issueKeyCommand, { account });
      const issued = JSON.parse(printed) as { key: string; key_id: string; account: string };
      return { key: issued.key, keyId: issued.key_id, account: issued.account };
    },
    async revokeKey(keyId) {
      await shell(commands.revokeKeyCommand, { key_id: keyId });
    },
    openError: (sealed) => shell(commands.openErrorCommand, { sealed }),
  };
}

async function shell(template: string, values: Record<string, string>): Promise<string> {
  const command = template.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    return `'${value.replaceAll("'", `'\\''`)}'`;
  });
  const { stdout } = await run('sh', ['-c', command], { timeout: 120_000 });
  return stdout;
}
