import type { Logger } from '@whetstone/platform';

import type { WriteGate } from './write-gate.js';

export interface EraserOptions {
  gate: WriteGate;
  /** False if somebody was reading. */
  truncateWal(): Promise<boolean>;
  /** Does nothing if nothing was deleted since the last time, or the file is larger. */
  vacuum(maxBytes: number): Promise<void>;
  logger: Logger;
  pauseMs?: number;
}

export interface Eraser {
  deleted(): void;
  /** Erases what is left to erase. */
  stop(): Promise<void>;
}

/** Writes wait for a VACUUM, about a second per 100 MB: while the server runs, larger files have to wait for a start. */
const maxBytesWhileRunning = 256 * 1024 * 1024;
/** The pause after a VACUUM, in terms of its duration. */
const restFactor = 20;
/** The pause after a failure. */
const retryMs = 60_000;

/**
 * Sees to it that deleted text leaves the disk. SQLite overwrites a deleted row (`secure_delete`), but its text remains in
 * two places: in the write-ahead log, and, for about two rows in a thousand, in the unused part of a page that was once
 * split. The log is emptied a second after a deletion, which takes milliseconds. The pages are reached by VACUUM only: it
 * runs in a thread of its own, searches go on meanwhile, and rests many times longer than it works.
 */
export async function startEraser(options: EraserOptions): Promise<Eraser> {
  const { gate, truncateWal, vacuum, logger, pauseMs = 1_000 } = options;
  let inLog = true;
  let inPages = true;
  let restsUntilMs = 0;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let stopped = false;

  async function erase(maxBytes: number): Promise<void> {
    try {
      if (inPages && performance.now() >= restsUntilMs) await erasePages(maxBytes);
    } finally {
      if (inLog) inLog = !(await truncateWal());
    }
  }

  async function erasePages(maxBytes: number): Promise<void> {
    inPages = false;
    const beganMs = performance.now();
    await gate.alone(() => vacuum(maxBytes));
    // A reader may have kept the pages that it wrote in the log.
    inLog = true;
    restsUntilMs = performance.now() + restFactor * (performance.now() - beganMs);
  }

  function schedule(waitMs = pauseMs): void {
    // What was deleted meanwhile is erased by the next run.
    if (stopped || timer || running) return;
    timer = setTimeout(() => {
      timer = undefined;
      void run(maxBytesWhileRunning);
    }, waitMs).unref();
  }

  async function run(maxBytes: number): Promise<void> {
    try {
      running = erase(maxBytes).finally(() => {
        running = undefined;
      });
      await running;
    } catch (error) {
      inPages = true;
      restsUntilMs = performance.now() + retryMs;
      logger.warn({ err: error }, 'Erasing deleted rows failed; retrying in a minute');
      // Where only the pages could not be erased, the log is emptied after each deletion all the same.
      return schedule(inLog ? retryMs : pauseMs);
    }
    if (inLog || inPages) schedule();
  }

  await run(Number.POSITIVE_INFINITY);

  return {
    deleted() {
      inLog = inPages = true;
      schedule();
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      // Whoever started it has reported its failure.
      await running?.catch(() => undefined);
      restsUntilMs = 0;
      await erase(maxBytesWhileRunning).catch((error: unknown) =>
        logger.warn({ err: error }, 'Erasing deleted rows failed; the next start tries again'),
      );
    },
  };
}
