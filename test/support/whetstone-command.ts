import { execFile } from 'node:child_process';
import { join } from 'node:path';

import { projectFolder } from './product.js';

const program = join(projectFolder, 'services/cli/bin/whetstone.mjs');

export interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** The `whetstone` command with this environment, without the developer's own settings. */
export interface WhetstoneCommand {
  run(...argv: string[]): Promise<Outcome>;
  /** With `--json`; throws if it fails. */
  ask<Answer>(...argv: string[]): Promise<Answer>;
}

export function whetstoneCommand(env: Record<string, string>, uid?: number): WhetstoneCommand {
  function run(...argv: string[]): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      execFile(
        process.execPath,
        [program, ...argv],
        { env, timeout: 120_000, killSignal: 'SIGKILL', ...(uid === undefined ? {} : { uid }) },
        (error, stdout, stderr) => {
          if (error?.killed) reject(new Error(`whetstone ${argv.join(' ')} does not end: ${stderr}`));
          else resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
        },
      );
    });
  }
  return {
    run,
    async ask(...argv) {
      const { code, stdout, stderr } = await run(...argv, '--json');
      if (code !== 0) throw new Error(`whetstone ${argv.join(' ')} exited with ${code}: ${stderr}`);
      return JSON.parse(stdout);
    },
  };
}
