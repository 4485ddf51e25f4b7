import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { type Engine, startEngine } from './engine.js';
import { inheritedEnvironment } from './environment.js';
import { type Fetchable, type FetchOptions, fetchOnce } from './fetch-once.js';
import { goProgram, goProgramIn } from './go-program.js';
import { reservePort } from './reserve-port.js';

/** The version matches go.mod in `pinned/`. */
export function collectorProgram(): Promise<Fetchable> {
  return goProgram({
    name: 'collector',
    version: '0.162.0',
    module: new URL('../../engines/pinned/collector/', import.meta.url),
    main: '.',
    args: ['-ldflags', '-s -w'],
  });
}

export interface CollectorOptions extends FetchOptions {
  /** Holds `collector.log`. */
  folder: string;
  /** The file with its configuration; its receiver `otlp` gets a port of its own. */
  config: string;
  /** For the configuration. */
  env?: Record<string, string>;
}

export interface Collector extends Engine {
  /** Takes OTLP over HTTP. */
  readonly url: string;
}

/** One real OpenTelemetry Collector, built on first use. Resolves when it accepts spans. */
export async function startCollector({ folder, config, env, ...options }: CollectorOptions): Promise<Collector> {
  const command = goProgramIn(await fetchOnce(await collectorProgram(), options), 'collector');
  await mkdir(folder, { recursive: true });
  const reserved = await reservePort();
  const address = `127.0.0.1:${reserved.port}`;
  const settings = {
    'receivers.otlp.protocols.http.endpoint': address,
    // Its own metrics would have a fixed port.
    'service.telemetry.metrics.level': 'none',
  };
  const args = Object.entries(settings).map(([name, value]) => `--set=${name}=${value}`);
  const engine = await startEngine({
    launch: {
      name: 'OpenTelemetry Collector',
      command,
      args: ['--config', config, ...args],
      cwd: folder,
      env: { ...inheritedEnvironment(), ...env },
      logFile: join(folder, 'collector.log'),
    },
    readiness: { isReady: (child) => child.printed().includes('Everything is ready'), withinMs: 60_000 },
    stopSignal: 'SIGTERM',
    stopWithinMs: 20_000,
    ports: [reserved],
  });
  return Object.assign(engine, { url: `http://${address}` });
}
