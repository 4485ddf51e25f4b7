import type { EventEmitter } from 'node:events';
import { constants } from 'node:os';

import { isAppError } from './app-error.js';
import type { Logger } from './logger.js';
import { settleWithin } from './time.js';

export interface StopPhase {
  name: string;
  /** At most what is left of the grace period. */
  timeoutMs: number;
  stop(): void | Promise<void>;
}

export interface RunningProcess {
  /** Registers the undoing of a step. Phases run in reverse order, one after another. */
  onStop(phase: StopPhase): void;
  /** Permanent failure: the process stops in order and exits non-zero. */
  fatal(error: unknown): void;
  /** Aborts when the process begins to stop, for a start that is still waiting. */
  readonly stopping: AbortSignal;
}

/** The parts of `process` that are used. */
export type ProcessPort = Pick<EventEmitter, 'on'> & { exit(code: number): void };

export interface RunProcessOptions {
  start(running: RunningProcess): Promise<void>;
  /** Limit of all stop phases together. */
  graceMs: number;
  logger: Logger;
  process?: ProcessPort;
}

/**
 * Runs a process. SIGTERM or SIGINT: the stop phases, then exit 0; a second one: exit at once. A start that fails, a
 * fatal error or a phase that fails or takes too long: the (remaining) phases, then exit 1. An uncaught
 * exception: exit 1 at once, because the state is unknown.
 */
export function runProcess({ start, graceMs, logger, process: port = process }: RunProcessOptions): void {
  const phases: StopPhase[] = [];
  const stopping = new AbortController();
  let clean = true;
  let startFailed = false;

  const started = start({ onStop: (phase) => phases.push(phase), fatal, stopping: stopping.signal });
  started.catch((error: unknown) => {
    if (stopping.signal.aborted) return;
    reportFailedStart(error);
    clean = false;
    startFailed = true;
    void stop();
  });

  port.on('SIGTERM', () => onSignal('SIGTERM'));
  port.on('SIGINT', () => onSignal('SIGINT'));
  port.on('uncaughtException', crash);
  port.on('unhandledRejection', crash);

  /** A mistake that the operator can fix is printed without its stack. */
  function reportFailedStart(error: unknown): void {
    if (isAppError(error, 'invalid_argument')) logger.error(`Could not start. ${error.message}`);
    else logger.error({ err: error }, 'Could not start');
  }

  function onSignal(signal: 'SIGTERM' | 'SIGINT'): void {
    if (stopping.signal.aborted) {
      port.exit(128 + constants.signals[signal]);
      return;
    }
    logger.info({ signal }, 'Stopping; a second signal exits at once');
    void stop();
  }

  function fatal(error: unknown): void {
    logger.error({ err: error }, 'A component failed permanently; stopping');
    clean = false;
    if (!stopping.signal.aborted) void stop();
  }

  function crash(error: unknown): void {
    logger.error({ err: error }, 'Uncaught exception; exiting');
    port.exit(1);
  }

  async function stop(): Promise<void> {
    stopping.abort();
    const deadline = performance.now() + graceMs;
    const leftMs = () => Math.max(0, deadline - performance.now());
    await settleWithin(started, leftMs());
    for (let phase = phases.pop(); phase; phase = phases.pop()) await run(phase, leftMs());
    if (!startFailed) logger.info('Stopped');
    port.exit(clean ? 0 : 1);
  }

  async function run({ name, timeoutMs, stop }: StopPhase, leftMs: number): Promise<void> {
    const result = await settleWithin((async () => stop())(), Math.min(timeoutMs, leftMs));
    if (result.status === 'fulfilled') return;
    clean = false;
    if (result.status === 'rejected') logger.error({ err: result.reason, phase: name }, 'Shutdown phase failed');
    else logger.warn({ phase: name }, 'Shutdown phase timed out; continuing');
  }
}
