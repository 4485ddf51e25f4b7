import { type Micros, topics } from '@whetstone/contracts';
import { type EventLog, observeViewAge } from '@whetstone/event-log';
import { type Clock, Gauge, type Logger, type Registry, type Service } from '@whetstone/platform';

import { createActivityView } from './adapters/activity-view.js';
import { JobsView } from './adapters/jobs-view.js';
import { SqliteActivityTable } from './adapters/sqlite-activity-table.js';
import { SqliteJobTable } from './adapters/sqlite-job-table.js';
import { createGetJob, type GetJob } from './domain/get-job.js';
import { type CountRuns, createCountRuns, createListRuns, type ListRuns } from './domain/list-runs.js';
import { createReadActivity, type ReadActivity } from './domain/read-activity.js';
import type { StatusConfig } from './status-config.js';

export interface StatusDeps {
  log: EventLog;
  clock: Clock;
  logger: Logger;
  registry: Registry;
  /** The view has failed permanently: the process should end. */
  onCrash(error: Error): void;
}

export interface StatusService extends Service {
  api: { getJob: GetJob; listRuns: ListRuns; countRuns: CountRuns } & ReadActivity;
}

/** Of one account, in the audit trail: a few dozen MB. */
const auditEntries = 100_000;

/** Serves job records, the audit trail and the usage from views of their topics. Every replica holds all of them. */
export function createStatus(deps: StatusDeps, config: StatusConfig): StatusService {
  const { log, logger, clock, registry } = deps;
  const table = new SqliteJobTable(config.databasePath);
  const view = new JobsView({ ...deps, table, onCrash });
  const activityTable = new SqliteActivityTable(config.activityPath, { auditEntries });
  const activity = createActivityView({ log, table: activityTable, logger, registry, onCrash });
  const readActivity = createReadActivity(
    {
      catchUpAudit: () => activity.catchUp(topics.audit.name),
      catchUpUsage: () => activity.catchUp(topics.usage.name),
      entries: (request) => activity.read((found) => found.entries(request)),
      usage: (...query) => activity.read((found) => found.usage(...query)),
    },
    config,
  );
  let stopPurge = () => {};
  let stopping: Promise<void> | undefined;
  let live = true;

  observeViewAge(registry, 'jobs', () => view.ageSeconds());
  new Gauge({
    name: 'whetstone_oldest_open_job_seconds',
    help: 'Age of the oldest job that was begun and has not ended',
    registers: [registry],
    collect() {
      const oldest = view.oldestOpen();
      this.set(oldest === undefined ? 0 : Math.max(0, clock.now() - oldest) / 1_000_000);
    },
  });

  return {
    api: {
      getJob: createGetJob({ ...deps, records: view }, config),
      listRuns: createListRuns({ records: view, clock }),
      countRuns: createCountRuns({ records: view }),
      ...readActivity,
    },
    async start() {
      await view.start();
      await activity.start();
      const stops = [table, activityTable].map((one) => schedulePurge({ table: one, clock, logger }));
      stopPurge = () => {
        for (const stopOne of stops) stopOne();
      };
    },
    drain: () => view.drain(),
    stop() {
      stopping ??= stop();
      return stopping;
    },
    health: () => ({ live, ready: view.ready, dependencies: [{ name: 'log', ok: log.healthy() }] }),
  };

  function onCrash(error: Error): void {
    live = false;
    deps.onCrash(error);
  }

  async function stop(): Promise<void> {
    stopPurge();
    await Promise.all([view.stop(), activity.stop()]);
    table.close();
    activityTable.close();
  }
}

interface PurgeDeps {
  table: { purge(now: Micros): boolean };
  clock: Clock;
  logger: Logger;
}

const everyMs = 10 * 60 * 1000;

/** Removes expired records, a few at a time. Returns a function that stops it. */
function schedulePurge({ table, clock, logger }: PurgeDeps): () => void {
  let timer = setTimeout(run, 0).unref();

  function run(): void {
    let more = false;
    try {
      more = table.purge(clock.now());
    } catch (error) {
      logger.warn({ err: error }, 'Removing expired records failed; retrying later');
    }
    timer = setTimeout(run, more ? 0 : everyMs).unref();
  }

  return () => clearTimeout(timer);
}
