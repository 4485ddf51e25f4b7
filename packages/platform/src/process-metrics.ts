import { totalmem } from 'node:os';

import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';

import type { ServiceHealth } from './service.js';

/** Node's default metrics, and the memory limit. Once per process. */
export function collectProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'whetstone_memory_limit_bytes',
    help: "Memory that the process may use: its container's limit, or else the machine's",
    registers: [registry],
  }).set(memoryLimitBytes());
}

function memoryLimitBytes(): number {
  // Without a limit some systems report 0, others an impossibly large number.
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  return Math.min(limit, totalmem());
}

/**
 * The probes' answers as metrics, for dashboards and alerts. Labels that the
 * probes no longer report are removed: they would look unready for ever.
 */
export function observeHealth(registry: Registry, health: () => Record<string, ServiceHealth>): void {
  const registers = [registry];
  new Gauge({
    name: 'whetstone_ready',
    help: 'Whether a component of the process takes work: 1 or 0, as its readiness probe answers',
    labelNames: ['component'],
    registers,
    collect() {
      this.reset();
      for (const [component, { ready }] of Object.entries(health())) this.set({ component }, ready ? 1 : 0);
    },
  });
  new Gauge({
    name: 'whetstone_dependency_up',
    help: 'Whether what a component depends on answered when it was last asked: 1 or 0',
    labelNames: ['component', 'dependency'],
    registers,
    collect() {
      this.reset();
      for (const [component, { dependencies }] of Object.entries(health())) {
        for (const { name, ok } of dependencies) this.set({ component, dependency: labelOf(name) }, ok ? 1 : 0);
      }
    },
  });
}

function labelOf(name: string): string {
  return name.replaceAll(' ', '_');
}
