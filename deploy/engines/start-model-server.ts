import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { type Engine, type EngineOptions, startEngine } from './engine.js';
import { type FetchOptions, fetchOnce } from './fetch-once.js';
import { modelServerEnvironment } from './model-server-environment.js';
import { pythonOf } from './python-environment.js';
import { reservePort } from './reserve-port.js';

export interface ModelServerOptions extends FetchOptions, Pick<EngineOptions, 'onUnexpectedEnd'> {
  /** Holds `model-server.log`. */
  folder: string;
  contextTokens?: number;
  /** A GGUF file, for chat alone; SmolLM2 unless it is given. */
  model?: string;
  /** More than one wait for each other actively, which only pays where nobody else needs the cores. */
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

/** A real model behind a real OpenAI-compatible endpoint; fetches both at the very first time. Resolves when it is loaded. */
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
