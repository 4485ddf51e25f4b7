import { randomBytes } from 'node:crypto';
import type { Micros } from '@whetstone/contracts';
import {
  AppError,
  type Clock,
  Counter,
  Gauge,
  Histogram,
  type Logger,
  type Registry,
  sleepUntilAborted,
} from '@whetstone/platform';

import { createNotes } from './consolidation-notes.js';
import { type Consolidated, type ConsolidateOptions, consolidateNames } from './domain/consolidate.js';
import { foldDecisions, settingsJob } from './domain/decisions.js';
import { groupWordings } from './domain/fold-wordings.js';
import { forgetAged, forgetRuns } from './domain/forget.js';
import { upgradeJobs } from './domain/import-rows.js';
import type { Row, VectorStore } from './domain/ports.js';
import { nothingFound, scanCollection } from './domain/scan-collection.js';

export interface ConsolidationConfig {
  /** Pause between two passes; 0 switches consolidation off. */
  intervalMs: number;
  /** Age that rows have to reach: until then their job may be delivered again and replace them. */
  settleMs: number;
  /** Insights that no run has confirmed for so long are forgotten; 0: never. A collection may have its own. */
  retentionDays: number;
}

interface ConsolidatorDeps {
  store: VectorStore;
  clock: Clock;
  logger: Logger;
  registry: Registry;
  monotonicMs?: () => number;
}

interface Leased extends ConsolidateOptions {
  renew(): Promise<void>;
}

const leaseMs = 60_000;
/** Before its lease expires by that much, a pass deletes nothing more: clocks differ, and calls take time. */
const leaseMarginMs = 20_000;
const namesPerBatch = 16;
const firstScanMs = 60 * 60 * 1000;
const scanEveryMs = 24 * 60 * 60 * 1000;
const dayMicros = 24 * 60 * 60 * 1_000_000;

/**
 * Keeps knowledge small in the background. Every write notes what it may have repeated, and passes merge it once it has
 * settled. A daily scan finds what was not noted, and so does the recovery of a collection whose lease somebody left
 * behind.
 */
export function createConsolidator(deps: ConsolidatorDeps, config: ConsolidationConfig) {
  const { store, clock, logger, monotonicMs = () => performance.now() } = deps;
  const holder = randomBytes(8).toString('hex');
  const toScan = new Set<string>();
  const notes = createNotes({
    settleMs: config.settleMs,
    monotonicMs,
    onFull: (collectionId) => toScan.add(collectionId),
  });
  const ending = new AbortController();
  const metrics = createMetrics(deps.registry, () => notes.oldestDueMs() / 1000);
  let nextScanMs = monotonicMs() + Math.min(firstScanMs, config.intervalMs * 60);
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (!ending.signal.aborted) {
      await sleepUntilAborted(config.intervalMs, ending.signal);
      if (!ending.signal.aborted) await pass();
    }
  }

  /** Consolidates what is due. Failures are logged; what was due stays due. */
  async function pass(): Promise<void> {
    const end = metrics.startPass();
    const total: Consolidated = { written: 0, deleted: 0 };
    let failed = false;
    const attempt = async (work: () => Promise<void>) => {
      if (ending.signal.aborted) return;
      await work().catch((error: unknown) => {
        if (ending.signal.aborted) return;
        failed = true;
        logger.warn({ err: error }, 'Consolidation failed; retrying with the next pass');
      });
    };
    await attempt(findScans);
    for (const collectionId of new Set([...toScan, ...notes.collections()])) {
      await attempt(async () => {
        const { written, deleted } = await tend(collectionId);
        total.written += written;
        total.deleted += deleted;
      });
    }
    end(total, failed);
  }

  async function findScans(): Promise<void> {
    if (monotonicMs() >= nextScanMs) {
      nextScanMs = monotonicMs() + scanEveryMs;
      for (const collectionId of await store.listCollections()) toScan.add(collectionId);
    }
    for (const lease of await store.listLeases()) {
      if (lease.holder !== holder && lease.expiresAt <= clock.now()) toScan.add(lease.collectionId);
    }
  }

  async function tend(collectionId: string): Promise<Consolidated> {
    const scanned = toScan.has(collectionId);
    const due = notes.takeDue(collectionId);
    const nothing: Consolidated = { written: 0, deleted: 0 };
    if (!scanned && due.names.size + due.jobs.size === 0) return nothing;
    const beganMs = monotonicMs();
    let isDone = false;
    try {
      const result = await withLease(collectionId, (options) => work(options));
      isDone = result !== undefined;
      return result ?? nothing;
    } finally {
      notes.putBack(collectionId, due, ({ firstMs, lastMs }) => {
        if (!isDone) return { firstMs, lastMs };
        // What was noted last has not settled yet.
        return lastMs > beganMs - config.settleMs ? { firstMs: lastMs, lastMs } : undefined;
      });
    }

    async function work({ renew, ...options }: Leased): Promise<Consolidated> {
      const agedBefore = scanned ? await findAgedBefore(collectionId) : 0;
      const found = scanned
        ? await scanCollection(store, collectionId, { agedBefore, signal: ending.signal })
        : nothingFound;
      const names = new Set([...due.names.keys(), ...found.names]);
      const jobs = new Set([...due.jobs.keys(), ...found.jobs]);
      const total: Consolidated = { written: 0, deleted: 0 };
      const step = async (take: () => Promise<Consolidated>): Promise<void> => {
        await renew();
        const begunMs = monotonicMs();
        const { written, deleted, more } = await take();
        total.written += written;
        total.deleted += deleted;
        // At most half of the store's time.
        await sleepUntilAborted(monotonicMs() - begunMs, ending.signal);
        if (more) await step(take);
      };
      const inBatches = async (all: Iterable<string>, take: (batch: string[]) => Promise<Consolidated>) => {
        const values = [...all];
        for (let at = 0; at < values.length; at += namesPerBatch) {
          await step(() => take(values.slice(at, at + namesPerBatch)));
        }
      };
      await inBatches(found.unnamed, async (batch) => {
        const named = await upgradeJobs(store, collectionId, batch);
        for (const { name } of named) if (name !== '') names.add(name);
        return { written: named.length, deleted: 0 };
      });
      await inBatches(names, (batch) => consolidateNames({ store, clock }, collectionId, batch, options));
      for (const variant of found.crowded) {
        await step(() => consolidateNames({ store, clock }, collectionId, variant, options, groupWordings));
      }
      await inBatches(jobs, (batch) => forgetRuns({ store, clock }, collectionId, batch, options));
      await inBatches(found.aged, (batch) =>
        forgetAged({ store, clock }, collectionId, batch, { ...options, agedBefore }),
      );
      if (scanned) toScan.delete(collectionId);
      return total;
    }
  }

  async function findAgedBefore(collectionId: string): Promise<Micros> {
    const { settings } = foldDecisions(await store.rowsOfJobs(collectionId, [settingsJob]));
    const { retentionDays = config.retentionDays } = settings;
    return retentionDays > 0 ? clock.now() - retentionDays * dayMicros : 0;
  }

  /** `undefined` if another process has the lease. */
  async function withLease<Result>(
    collectionId: string,
    work: (options: Leased) => Promise<Result>,
  ): Promise<Result | undefined> {
    let takenMs = 0;
    const acquire = async () => {
      takenMs = monotonicMs();
      const now = clock.now();
      return store.acquireLease({ collectionId, holder, expiresAt: now + leaseMs * 1000 }, now);
    };
    if (!(await acquire())) return undefined;
    const options: Leased = {
      settledBefore: clock.now() - config.settleMs * 1000,
      checkLease() {
        ending.signal.throwIfAborted();
        if (monotonicMs() - takenMs > leaseMs - leaseMarginMs) throw lostLease();
      },
      async renew() {
        ending.signal.throwIfAborted();
        if (!(await acquire())) throw lostLease();
      },
    };
    const result = await work(options);
    // Kept after a failure: an expired lease makes the next pass look for what was left unfinished.
    await store.releaseLease({ collectionId, holder, expiresAt: 0 });
    return result;
  }

  return {
    note(collectionId: string, rows: readonly Row[]): void {
      if (config.intervalMs > 0) notes.add(collectionId, rows);
    },
    /** Makes the next pass scan the whole collection. */
    scan(collectionId: string): void {
      if (config.intervalMs > 0) toScan.add(collectionId);
    },
    pass,
    start(): void {
      if (config.intervalMs > 0) running ??= run();
    },
    async stop(): Promise<void> {
      ending.abort();
      await running;
    },
  };
}

export type Consolidator = ReturnType<typeof createConsolidator>;

function lostLease(): AppError {
  return new AppError('store_unavailable', 'The lease on the collection was lost', { retryable: true });
}

function createMetrics(registry: Registry, oldestDueSeconds: () => number) {
  const rows = new Counter({
    name: 'whetstone_consolidation_rows_total',
    help: 'Rows that consolidation wrote and deleted',
    labelNames: ['action'],
    registers: [registry],
  });
  for (const action of ['written', 'deleted']) rows.inc({ action }, 0);
  const failures = new Counter({
    name: 'whetstone_consolidation_failures_total',
    help: 'Consolidation passes that failed in part',
    registers: [registry],
  });
  const duration = new Histogram({
    name: 'whetstone_consolidation_duration_seconds',
    help: 'Duration of consolidation passes',
    buckets: [0.01, 0.1, 1, 10, 60, 600],
    registers: [registry],
  });
  new Gauge({
    name: 'whetstone_consolidation_behind_seconds',
    help: 'How long settled rows have been waiting to be consolidated',
    registers: [registry],
    collect() {
      this.set(Math.max(0, oldestDueSeconds()));
    },
  });
  return {
    startPass() {
      const end = duration.startTimer();
      return ({ written, deleted }: Consolidated, failed: boolean) => {
        end();
        rows.inc({ action: 'written' }, written);
        rows.inc({ action: 'deleted' }, deleted);
        if (failed) failures.inc();
      };
    },
  };
}
