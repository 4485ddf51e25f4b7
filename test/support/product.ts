import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { guard } from '@whetstone/deploy';

import { eventually } from './eventually.js';
import type { Target } from './target.js';

export const projectFolder = fileURLToPath(new URL('../../..', import.meta.url));

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A standalone product, started from this checkout in its own folder. */
export interface Product {
  target: Target;
  pid: number;
  dataFolder: string;
  /** Everything it has printed, over all starts in this folder. */
  printed(): string;
  exited: Promise<Exit>;
  /** Never resolves if it was stopped or killed here. */
  endedByItself: Promise<Exit>;
  /** SIGTERM, then waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<Exit>;
  kill(): Promise<Exit>;
}

export interface StartOptions {
  /** Holds data and output; starting in the same folder again is a restart. */
  folder: string;
  httpPort?: number;
  opsPort?: number;
  env?: Record<string, string>;
  /** The script to run; by default the compiled server. */
  script?: string;
  /** The user to run as. */
  uid?: number | undefined;
  /** Prints to a terminal, as it does for a person, instead of to a file. Needs `script` of util-linux. */
  terminal?: boolean;
}

/**
 * For tests of what is answered, not how soon: on a busy machine, they must not run into the time limit of an operation.
 */
export const patientSettings = {
  WHETSTONE_STORE_TIMEOUT_MS: '90000',
  WHETSTONE_ENHANCE_TIMEOUT_MS: '90000',
  WHETSTONE_STATUS_TIMEOUT_MS: '90000',
  WHETSTONE_DELETE_TIMEOUT_MS: '90000',
};
/** Low enough for tests to reach. */
export const lowLimits = { WHETSTONE_MAX_DELETIONS: '100' };
/** The status service gives up before the gateway does. */
export const patientStatusSettings = { WHETSTONE_STATUS_CATCH_UP_TIMEOUT_MS: '60000' };

/** Resolves when the product reports ready. */
export async function startProduct(options: StartOptions): Promise<Product> {
  const product = await launchProduct(options);
  const early = product.exited.then(({ code, signal }) => {
    throw new Error(`The product ended at start (${code ?? signal}):\n${product.printed()}`);
  });
  const ready = eventually(
    async () => {
      const answer = await fetch(`${product.target.opsUrl}/readyz`).catch(() => undefined);
      return answer?.ok ? true : undefined;
    },
    { what: 'the product is ready' },
  );
  await Promise.race([ready, early]).catch(async (error: unknown) => {
    await product.kill();
    throw error;
  });
  const tellEnd = ({ code, signal }: Exit) => {
    const lastLines = product.printed().split('\n').slice(-20).join('\n');
    process.stdout.write(`The product ended by itself (${code ?? signal}):\n${lastLines}\n`);
  };
  // Its output may be deleted with its folder.
  product.endedByItself.then(tellEnd).catch(() => {});
  return product;
}

/** Starts the process without waiting: for starts that should fail. */
export async function launchProduct(options: StartOptions): Promise<Product> {
  const { folder, httpPort, opsPort, env = {}, script = 'services/standalone/dist/main.js', terminal } = options;
  const dataFolder = join(folder, 'data');
  const printedFile = join(folder, 'printed.log');
  await mkdir(folder, { recursive: true });
  const [http, ops] = [httpPort ?? (await freePort()), opsPort ?? (await freePort())];
  const settings = {
    WHETSTONE_DATA: dataFolder,
    WHETSTONE_HTTP_PORT: String(http),
    WHETSTONE_OPS_PORT: String(ops),
    ...env,
  };
  const file = openSync(printedFile, 'a');
  const server = [process.execPath, join(projectFolder, script)];
  const [program = '', ...argv] = terminal
    ? ['script', '--quiet', '--return', '--command', `exec '${server.join("' '")}'`, '/dev/null']
    : server;
  const child = spawn(program, argv, {
    cwd: folder,
    ...(options.uid === undefined ? {} : { uid: options.uid }),
    env: { ...inheritedEnvironment(), ...settings },
    stdio: ['ignore', file, file],
  });
  closeSync(file);
  const exited = exitOf(child);
  // Whoever started it may be killed before stopping it.
  child.once('exit', guard(child.pid as number));
  let asked = false;
  const endedByItself = new Promise<Exit>((resolve) => {
    exited.then((exit) => asked || resolve(exit)).catch(() => {});
  });
  const end = (signal: NodeJS.Signals) => {
    asked = true;
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    return exited;
  };
  return {
    target: {
      baseUrl: `http://127.0.0.1:${http}`,
      opsUrl: `http://127.0.0.1:${ops}`,
      ...operatorCommands(settings),
      output: [dataFolder, printedFile],
    },
    pid: child.pid as number,
    dataFolder,
    printed: () => readFileSync(printedFile, 'utf8'),
    exited,
    endedByItself,
    stop: (signal = 'SIGTERM') => end(signal),
    kill: () => end('SIGKILL'),
  };
}

function operatorCommands(settings: Record<string, string>) {
  const assignments = Object.entries(settings).map(([name, value]) => `${name}='${value}'`);
  const cli = [
    ...assignments,
    `'${process.execPath}'`,
    `'${join(projectFolder, 'services/cli/bin/whetstone.mjs')}'`,
  ].join(' ');
  return {
    issueKeyCommand: `${cli} keys issue --account {account} --approved-by acceptance --reason 'acceptance test' --json`,
    revokeKeyCommand: `${cli} keys revoke --key-id {key_id} --reason 'acceptance test' --json`,
    openErrorCommand: `${cli} errors open {sealed}`,
  };
}

/** Without the developer's own settings. */
export function inheritedEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(WHETSTONE_|OTEL_|NODE_OPTIONS$|NODE_ENV$|JEST_)/.test(name)),
  );
}

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
