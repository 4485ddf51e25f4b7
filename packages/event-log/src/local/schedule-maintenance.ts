import type { Logger } from '@whetstone/platform';

export interface MaintenanceOptions {
  maintain(): Promise<void>;
  everyMs: number;
  logger?: Logger | undefined;
}

/** One round after another with a pause in between, never two at once. Returns how to end it. */
export function scheduleMaintenance({ maintain, everyMs, logger }: MaintenanceOptions): () => void {
  let timer = setTimeout(run, everyMs).unref();
  let stopped = false;

  function run(): void {
    maintain()
      .catch((error) => logger?.warn({ err: error }, 'Retention and compaction of the log did not get through'))
      .finally(() => {
        if (!stopped) timer = setTimeout(run, everyMs).unref();
      });
  }

  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
