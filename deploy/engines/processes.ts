import { type ExecFileOptions, execFile, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, statSync } from 'node:fs';
import type { Socket } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Kills a process when this one is gone, however it went; with a negative id, the whole group that the process leads. A
 * shell waits for a line on a pipe that only this process holds: the line comes when the guarded process has ended by
 * itself; the end of the pipe without it means that we are dead.
 */
export function guard(pid: number): () => void {
  const shell = spawn('sh', ['-c', 'read -r ended || kill -9 "$1"', 'whetstone-guard', String(pid)], {
    // Its own session: Ctrl-C on a terminal is for us, and the guard has to outlive us.
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

export interface Launch {
  /** For messages. */
  name: string;
  command: string;
  args: readonly string[];
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Gets what the process prints, after what earlier ones printed. */
  logFile: string;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** One operating-system process of ours. It never outlives us. */
export interface Child {
  readonly name: string;
  readonly pid: number;
  /** Settles when the process has ended; never rejects. Does not keep our own process alive. */
  readonly exited: Promise<Exit>;
  /** The same, and keeps our own process alive until then. */
  untilExit(): Promise<Exit>;
  /** Undefined while it runs. */
  readonly exit: Exit | undefined;
  /** What it has printed since its start. */
  printed(): string;
  signal(signal: NodeJS.Signals): void;
}

export async function launch({ name, command, args, cwd, env, logFile }: Launch): Promise<Child> {
  mkdirSync(dirname(logFile), { recursive: true });
  const file = openSync(logFile, 'a');
  const begin = statSync(logFile).size;
  // A session of its own: Ctrl-C on the terminal reaches us alone, and we end everything in order.
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', file, file] });
  closeSync(file);
  const pid = child.pid;
  if (pid === undefined) {
    const error = await new Promise<Error>((resolve) => child.once('error', resolve));
    throw new Error(`${name} cannot be started: ${error.message}`);
  }
  // It ends with us; so it need not keep us from ending.
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
  /** Looked at again and again. */
  isReady(child: Child): boolean | Promise<boolean>;
  withinMs: number;
}

/** Resolves when it is ready. One that ends or takes too long is killed, and the error shows what it printed last. */
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

/** Asks it to end, and does not ask any more after a while. */
export async function end(child: Child, signal: NodeJS.Signals, withinMs: number): Promise<Exit> {
  child.signal(signal);
  // A stopped process does not see the signal before it goes on.
  child.signal('SIGCONT');
  const timer = setTimeout(() => child.signal('SIGKILL'), withinMs);
  const exit = await child.untilExit();
  clearTimeout(timer);
  return exit;
}
