import { type ExecFileOptions, execFile } from 'node:child_process';

import { guard } from './guard.js';

export interface ProgramResult {
  ok: boolean;
  stdout: string;
  /** Both streams, for people. */
  output: string;
}

/** Runs a program to its end, or to ours. One that is not installed is not ok, like one that fails. */
export function runProgram(
  command: string,
  args: readonly string[],
  options: Pick<ExecFileOptions, 'cwd' | 'env'> = {},
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const child = execFile(command, args, { ...options, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      const output = `${stdout}${stderr}`.trim();
      unguard?.();
      resolve({ ok: error === null, stdout, output: output || (error?.message ?? '') });
    });
    const unguard = child.pid === undefined ? undefined : guard(child.pid);
  });
}

/** The end of a long text, where the reason usually is. */
export function lastLines(text: string, count = 20): string {
  return text.trimEnd().split('\n').slice(-count).join('\n');
}
