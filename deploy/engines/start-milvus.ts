import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { type Engine, type EngineOptions, startEngine } from './engine.js';
import { type Fetchable, type FetchOptions, fetchOnce } from './fetch-once.js';
import { pythonEnvironment, pythonOf } from './python-environment.js';
import { type ReservedPort, reservePort, reserveSamePort } from './reserve-port.js';

export function milvusLiteEnvironment(): Promise<Fetchable> {
  return pythonEnvironment({
    name: 'milvus-lite',
    title: 'Milvus Lite',
    version: '3.2.2',
    megabytes: 450,
    requirements: new URL('../../engines/pinned/milvus-lite/requirements.txt', import.meta.url),
  });
}

export interface MilvusOptions extends FetchOptions, Pick<EngineOptions, 'onUnexpectedEnd'> {
  /** Holds data and `milvus.log`. Starting in the same folder again brings the same server back, on the same port. */
  folder: string;
  /** Address to listen on; 127.0.0.1 by default. */
  host?: string;
}

export interface Milvus extends Engine {
  /** `host:port`; it speaks Milvus' gRPC without TLS or credentials. */
  readonly address: string;
}

const serveScript = fileURLToPath(new URL('../../engines/pinned/milvus-lite/serve.py', import.meta.url));

/**
 * One real Milvus Lite, fetched on first use. Resolves when it accepts requests. It shares its port with nobody, so whoever
 * answers at the address is this process.
 */
export async function startMilvus({ folder, host = '127.0.0.1', ...options }: MilvusOptions): Promise<Milvus> {
  const python = pythonOf(await fetchOnce(await milvusLiteEnvironment(), options));
  await mkdir(folder, { recursive: true });
  const reserved = await portOf(folder);
  const address = `${host}:${reserved.port}`;
  const listening = `server listening on ${address}`;
  // With more workers, concurrent writes lose acknowledged rows.
  const workers = ['--max-workers', '1'];
  const data = ['--data-dir', join(folder, 'data')];
  const engine = await startEngine({
    launch: {
      name: 'Milvus Lite',
      command: python,
      args: ['-u', serveScript, 'server', ...data, '--host', host, '--port', String(reserved.port), ...workers],
      cwd: folder,
      logFile: join(folder, 'milvus.log'),
    },
    readiness: { isReady: (child) => child.printed().includes(listening), withinMs: 120_000 },
    stopSignal: 'SIGINT',
    stopWithinMs: 20_000,
    ports: [reserved],
    onUnexpectedEnd: options.onUnexpectedEnd,
  });
  return Object.assign(engine, { address });
}

async function portOf(folder: string): Promise<ReservedPort> {
  const file = join(folder, 'port');
  const before = Number(await readFile(file, 'utf8').catch(() => 0));
  const reserved = await (before > 0 ? reserveSamePort(before) : reservePort());
  await writeFile(file, String(reserved.port));
  return reserved;
}
