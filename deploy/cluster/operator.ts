import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { inheritedEnvironment } from '../engines/environment.js';
import { lastLines, runProgram } from '../engines/processes.js';

const cli = fileURLToPath(new URL('../../../services/cli/bin/whetstone.mjs', import.meta.url));

export interface IssuedKey {
  key: string;
  keyId: string;
  account: string;
}

/** An operator of the cluster, using the real commands. */
export interface ClusterOperator {
  applyTopics(): Promise<void>;
  issueKey(account: string): Promise<IssuedKey>;
  /** Shell command: `whetstone` with the settings of this cluster. */
  readonly command: string;
}

export function createClusterOperator(settings: Record<string, string>): ClusterOperator {
  const env = { ...inheritedEnvironment(), ...settings };

  async function whetstone(...args: string[]): Promise<string> {
    const { ok, stdout, output } = await runProgram(process.execPath, [cli, ...args], { env });
    if (!ok) throw new Error(`whetstone ${args.slice(0, 2).join(' ')} failed:\n${lastLines(output)}`);
    return stdout;
  }

  return {
    async applyTopics() {
      await whetstone('topics', 'apply', '--accept-weaker');
    },
    async issueKey(account) {
      const approval = ['--approved-by', 'developer', '--reason', 'local cluster'];
      const printed = await whetstone('keys', 'issue', '--account', account, ...approval, '--json');
      const issued = JSON.parse(printed) as { key: string; key_id: string; account: string };
      return { key: issued.key, keyId: issued.key_id, account: issued.account };
    },
    command: [
      ...Object.entries(settings).map(([name, value]) => `${name}='${value}'`),
      `'${process.execPath}'`,
      `'${cli}'`,
    ].join(' '),
  };
}

/** A file with a root secret, created once per folder. */
export async function makeRootSecret(folder: string): Promise<string> {
  const file = join(folder, 'root.secret');
  await writeFile(file, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    },
  );
  return file;
}
