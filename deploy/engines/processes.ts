import { type ExecFileOptions, execFile, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, statSync } from 'node:fs';
import type { Socket } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Kills a process when this one is gone, however it ended; with a negative id, its whole process group. A shell reads from a
 * pipe that only this process holds: a line means that the guarded process has ended by itself, end of file that we are dead.
 */
export function guard(pid: number): () => void {
  const shell = spawn('sh', ['-c', 'read -r ended || kill -9 "$1"', 'whetstone-guard', String(pid)], {
    // Its own session: Ctrl-C on a terminal must not reach the guard, which has to outlive us.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const pipe = shell.stdin as Socket;
  pipe.on('error', () => {});
  shell.on('error', () => {});
  shell.unref();
  pipe.unref();
  return () => pipe.end('ended\n');
}

export interface ProgramResult {
  ok: boolean;
  stdout: string;
  /** Both streams. */
  output: string;
}

/** Runs a program to its end and kills it if we end first. A program that is not installed is not ok. */
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

/** The end of the output usually has the reason. */
export function lastLines(text: string, count = 20): string {
  return text.trimEnd().split('\n').slice(-count).join('\n');
}

export interface Launch {
  /** For messages. */
  name: string;
  command: string;
  args: readonly string[];
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** The output is appended. */
  logFile: string;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A child process that never outlives us. */
export interface Child {
  readonly name: string;
  readonly pid: number;
  /** Resolves when the process has ended; never rejects. Does not keep our own process alive. */
  readonly exited: Promise<Exit>;
  /** Like `exited`, but keeps our own process alive until then. */
  untilExit(): Promise<Exit>;
  /** Undefined while it runs. */
  readonly exit: Exit | undefined;
  /** Its output since it started. */
  printed(): string;
  signal(signal: NodeJS.Signals): void;
}

export async function launch({ name, command, args, cwd, env, logFile }: Launch): Promise<Child> {
  mkdirSync(dirname(logFile), { recursive: true });
  const file = openSync(logFile, 'a');
  const begin = statSync(logFile).size;
  // Its own session: Ctrl-C on the terminal reaches only us, and we stop everything in order.
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', file, file] });
  closeSync(file);
  const pid = child.pid;
  if (pid === undefined) {
    const error = await new Promise<Error>((resolve) => child.once('error', resolve));
    throw new Error(`${name} cannot be started: ${error.message}`);
  }
  // It ends with us, so it need not keep us alive.
  child.unref();
  const unguard = guard(pid);
  let exit: Exit | undefined;
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => {
      unguard();
      exit = { code, signal };
      resolve(exit);
    });
  });
  return {
    name,
    pid,
    exited,
    untilExit() {
      if (exit === undefined) child.ref();
      return exited;
    },
    get exit() {
      return exit;
    },
    printed: () => readFileSync(logFile).subarray(begin).toString('utf8'),
    signal: (signal) => {
      if (exit === undefined) child.kill(signal);
    },
  };
}

export interface Readiness {
  /** Polled. */
  isReady(child: Child): boolean | Promise<boolean>;
  withinMs: number;
}

/** Resolves when it is ready. Kills it if it takes too long; the error shows its last output. */
export async function untilReady(child: Child, { isReady, withinMs }: Readiness): Promise<void> {
  const deadline = Date.now() + withinMs;
  try {
    while (!(await isReady(child))) {
      if (child.exit) throw new Error(`${child.name} ended at its start (${child.exit.code ?? child.exit.signal})`);
      if (Date.now() > deadline) throw new Error(`${child.name} was not ready within ${withinMs / 1000} s`);
      await sleep(50);
    }
  } catch (error) {
    child.signal('SIGKILL');
    await child.untilExit();
    throw new Error(`${(error as Error).message}. It printed last:\n${lastLines(child.printed())}`);
  }
}

/** Signals it to end, and kills it if that takes too long. */
export async function end(child: Child, signal: NodeJS.Signals, withinMs: number): Promise<Exit> {
  child.signal(signal);
  // A stopped process handles the signal only after it continues.
  child.signal('SIGCONT');
  const timer = setTimeout(() => child.signal('SIGKILL'), withinMs);
  const exit = await child.untilExit();
  clearTimeout(timer);
  return exit;
}
