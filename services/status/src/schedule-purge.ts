import type { Clock, Logger } from '@whetstone/platform';

import type { SqliteJobTable } from './adapters/sqlite-job-table.js';

export interface PurgeDeps {
  table: SqliteJobTable;
  clock: Clock;
  logger: Logger;
}

const everyMs = 10 * 60 * 1000;

/** Removes records that have expired, a few at a time. Returns how to end it. */
export function schedulePurge({ table, clock, logger }: PurgeDeps): () => void {
  let timer = setTimeout(run, 0).unref();

  function run(): void {
    let more = false;
    try {
      more = table.purge(clock.now());
    } catch (error) {
      logger.warn({ err: error }, 'Expired records of jobs could not be removed; trying again later');
    }
    timer = setTimeout(run, more ? 0 : everyMs).unref();
  }

  return () => clearTimeout(timer);
}
