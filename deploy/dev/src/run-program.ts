import { execFile } from 'node:child_process';

export interface ProgramResult {
  ok: boolean;
  /** Both streams, as a person would have seen them. */
  output: string;
}

/** Runs a program to its end. One that is not installed is not ok, like one that fails. */
export function runProgram(command: string, args: readonly string[], cwd?: string): Promise<ProgramResult> {
  return new Promise((resolve) => {
    execFile(command, args, { cwd, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      const output = `${stdout}${stderr}`.trim();
      resolve({ ok: error === null, output: output || (error?.message ?? '') });
    });
  });
}

/** The end of a long text, where the reason usually is. */
export function lastLines(text: string, count = 20): string {
  return text.trimEnd().split('\n').slice(-count).join('\n');
}
