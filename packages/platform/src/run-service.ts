import { Registry } from 'prom-client';

import { type Clock, createSystemClock } from './clock.js';
import { type ConfigOf, type ConfigOfAll, type ConfigSchema, configOrExit, type Environment } from './load-config.js';
import { createLogger, type Logger } from './logger.js';
import { createOpsServer } from './ops-server.js';
import { processConfigSchema } from './process-config.js';
import { collectProcessMetrics } from './process-metrics.js';
import { type RunningProcess, runProcess } from './run-process.js';
import type { Service, ServiceHealth } from './service.js';
import { startTelemetry } from './telemetry.js';
import { abortable, sleep } from './time.js';

export type ServiceConfig<Schemas extends readonly ConfigSchema[]> = ConfigOf<typeof processConfigSchema> &
  ConfigOfAll<Schemas>;

export interface RunServiceOptions<Schemas extends readonly ConfigSchema[]> {
  /** Name in logs and traces. */
  name: string;
  env: Environment;
  /** Configuration of all its parts, besides that of every process. */
  schemas: Schemas;
  /**
   * Composes the service and starts nothing. Registers everything it opens with `onStop`, which closes in reverse order. What is
   * away at the start is waited for; AppError `invalid_argument` is for configuration errors.
   */
  compose(parts: ProcessParts<ServiceConfig<Schemas>>): Promise<ComposedService>;
}

/**
 * Runs the process of one service, from reading its configuration to its last log line.
 *
 * Stops in an order that loses nothing: readiness off, and time for load balancers to notice; no more calls and
 * messages; work in flight is finished or aborted; then dependencies are closed, and traces are flushed last.
 */
export function runService<const Schemas extends readonly ConfigSchema[]>(options: RunServiceOptions<Schemas>): void {
  const { name, env, schemas, compose } = options;
  const config = configOrExit<ServiceConfig<Schemas>>([processConfigSchema, ...schemas], env);
  const logger = createLogger({
    service: name,
    level: config.WHETSTONE_LOG_LEVEL,
    pretty: process.stdout.isTTY === true,
  });

  async function start(running: RunningProcess): Promise<void> {
    const stopTelemetry = await startTelemetry({ service: `whetstone-${name}`, env });
    running.onStop({ name: 'telemetry', timeoutMs: 5000, stop: stopTelemetry });
    const registry = new Registry();
    collectProcessMetrics(registry);
    await startService({ name, config, clock: createSystemClock(), logger, registry, running, compose });
  }

  runProcess({ graceMs: config.WHETSTONE_STOP_GRACE_MS, logger, start });
}

interface Peer {
  healthy(): boolean;
  close(): void;
}

export interface ProcessParts<Config> {
  config: Config;
  clock: Clock;
  logger: Logger;
  registry: Registry;
  /** Whether the process wants traffic: the service is ready and not stopping. */
  isReady(): boolean;
  onStop(name: string, stop: () => void | Promise<void>): void;
  /** A part failed permanently: the process stops in order and exits non-zero. */
  onCrash(error: Error): void;
}

export interface ComposedService {
  service: Service;
  /** Unless the service listens itself. Started once it is ready, stopped before it. `start` resolves with the port. */
  server?: { start(): Promise<number>; stop(): Promise<void> };
  /** Port of a service that listens itself. */
  port?(): number | undefined;
  /** The services that it calls, by name; closed after it. Their health is reported and decides nothing. */
  peers?: Record<string, Peer>;
}

interface StartServiceOptions<Config extends ConfigOf<typeof processConfigSchema>> {
  name: string;
  config: Config;
  clock: Clock;
  logger: Logger;
  registry: Registry;
  running: RunningProcess;
  compose(parts: ProcessParts<Config>): Promise<ComposedService>;
}

const phaseMs = 15_000;
const readyPollMs = 20;

/**
 * Probes answer first. Each step registers its own undoing, so that a stop, also in the middle of the
 * start, runs in reverse order.
 */
export async function startService<Config extends ConfigOf<typeof processConfigSchema>>(
  options: StartServiceOptions<Config>,
): Promise<void> {
  const { name, config, clock, logger, registry, running, compose } = options;
  const { WHETSTONE_OPS_HOST: host, WHETSTONE_OPS_PORT: port, WHETSTONE_DRAIN_MS: drainMs } = config;
  const onStop = (phase: string, stop: () => void | Promise<void>) =>
    running.onStop({ name: phase, timeoutMs: phaseMs, stop });
  let composed: ComposedService | undefined;
  let takesCalls = false;
  const isReady = () => !running.stopping.aborted && healthOf(composed).ready;
  // A rollout may remove another replica the moment this one reports ready.
  const health = () => {
    const all = healthOf(composed);
    return { ...all, ready: all.ready && (takesCalls || !composed?.server) };
  };

  const variables = { host: 'WHETSTONE_OPS_HOST', port: 'WHETSTONE_OPS_PORT' };
  const ops = createOpsServer({ host, port, variables, registry, health: () => ({ [name]: health() }), logger });
  const opsAddress = await ops.start();
  onStop('ops server', ops.stop);
  logger.info({ ops_port: opsAddress.port }, 'Starting');

  composed = await compose({ config, clock, logger, registry, isReady, onStop, onCrash: running.fatal });
  const { service, server, peers = {} } = composed;
  for (const [peer, { close }] of Object.entries(peers)) onStop(peer, close);
  onStop(name, service.stop);
  if (server) onStop('server', server.stop);
  await untilStopped(service.start(), running.stopping);
  // Callers expect answers from an open port; while it is closed they turn to another replica.
  while (server && !service.health().ready && !running.stopping.aborted) await sleep(readyPollMs);
  if (running.stopping.aborted) return;
  const serverPort = await server?.start();
  takesCalls = true;

  running.onStop({
    name: 'readiness',
    timeoutMs: drainMs + phaseMs,
    async stop() {
      ops.drain();
      service.drain?.();
      await sleep(drainMs);
    },
  });
  logger.info({ port: serverPort ?? composed.port?.() }, 'Started');
}

function healthOf(composed: ComposedService | undefined): ServiceHealth {
  if (!composed) return { live: true, ready: false, dependencies: [] };
  const { service, peers = {} } = composed;
  const { live, ready, dependencies } = service.health();
  const others = Object.entries(peers).map(([peer, { healthy }]) => ({ name: peer, ok: healthy() }));
  return { live, ready, dependencies: [...dependencies, ...others] };
}

/** A service may wait for its views as long as it takes, but a stop does not wait for that. */
async function untilStopped(started: Promise<void>, stopping: AbortSignal): Promise<void> {
  await abortable(started, stopping).catch((error: unknown) => {
    if (!stopping.aborted) throw error;
  });
}
