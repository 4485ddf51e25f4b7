import { setTimeout as sleep } from 'node:timers/promises';

/** A process that can be restarted in the same place. */
export interface Restartable {
  readonly name: string;
  /** Resolves when the current process has ended. */
  readonly exited: Promise<unknown>;
  kill(): Promise<void>;
  /** Stops it in order if it runs, and starts it again; resolves when it is ready. */
  restart(): Promise<void>;
  pause(): void;
  resume(): void;
  stop(): Promise<unknown>;
}

/** A process that is restarted whenever it ends. */
export interface Supervised {
  readonly name: string;
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
  /** Stops it in order and starts it again, as in a roll-out; resolves when it is ready. */
  restart(): Promise<void>;
  /** Stops it in order; it stays down until `restart`. */
  hold(): Promise<void>;
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
}

const backOffMs = 1000;

export function supervise(process: Restartable): Supervised {
  /** While set, the supervisor ignores that the process ends. */
  let planned = false;
  let stopped = false;
  let starting: Promise<void> = Promise.resolve();

  watch();

  function watch(): void {
    void process.exited.then(async () => {
      if (planned || stopped) return;
      starting = bringBack();
      await starting;
    });
  }

  async function bringBack(): Promise<void> {
    for (;;) {
      await sleep(backOffMs);
      if (stopped || planned) return;
      try {
        await process.restart();
        watch();
        return;
      } catch (error) {
        // Kubernetes would not give up either; the reason is in the output of the process.
        void error;
      }
    }
  }

  async function plan(work: () => Promise<unknown>): Promise<void> {
    planned = true;
    await starting;
    await work();
  }

  return {
    name: process.name,
    kill: () => process.kill(),
    async restart() {
      await plan(() => process.restart());
      planned = false;
      watch();
    },
    hold: () => plan(() => process.stop()),
    pause: () => process.pause(),
    resume: () => process.resume(),
    async stop() {
      stopped = true;
      await starting;
      await process.stop();
    },
  };
}
