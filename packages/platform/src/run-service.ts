import { Registry } from 'prom-client';

import { createSystemClock } from './clock.js';
import { configOrExit } from './config-or-exit.js';
import type { ConfigOf, ConfigOfAll, ConfigSchema, Environment } from './config-schema.js';
import { createLogger } from './logger.js';
import { processConfigSchema } from './process-config.js';
import { collectProcessMetrics } from './process-metrics.js';
import { type RunningProcess, runProcess } from './run-process.js';
import { type ComposedService, type ProcessParts, startService } from './start-service.js';
import { startTelemetry } from './telemetry.js';

export type ServiceConfig<Schemas extends readonly ConfigSchema[]> = ConfigOf<typeof processConfigSchema> &
  ConfigOfAll<Schemas>;

export interface RunServiceOptions<Schemas extends readonly ConfigSchema[]> {
  /** As logs and traces name it. */
  name: string;
  env: Environment;
  /** Of everything that the process is made of, besides what every process has. */
  schemas: Schemas;
  /**
   * Puts the service together and starts nothing. Whatever it opens it hands to `onStop`, which closes the last first. What is
   * away when the process starts is waited for, not failed on; AppError `invalid_argument` is for mistakes.
   */
  compose(parts: ProcessParts<ServiceConfig<Schemas>>): Promise<ComposedService>;
}

/**
 * The process of one service, from reading its configuration to its last log line.
 *
 * It stops in the order that loses nothing: readiness off, and a while for load balancers to notice; no more calls and
 * messages; what is in flight is finished or given up; then what it called and wrote to is closed, and traces go out last.
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
