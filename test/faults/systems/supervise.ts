import { setTimeout as sleep } from 'node:timers/promises';

/** An operating-system process that can be started again in the same place. */
export interface Restartable {
  readonly name: string;
  /** Settles when the present process has ended. */
  readonly exited: Promise<unknown>;
  kill(): Promise<void>;
  /** Starts it again, after an orderly stop if it runs; resolves when it is ready. */
  restart(): Promise<void>;
  pause(): void;
  resume(): void;
  stop(): Promise<unknown>;
}

/** A process that comes back when it ends, whatever ended it. */
export interface Supervised {
  readonly name: string;
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
  /** An orderly stop and a new start, as in a roll-out; resolves when it is ready. */
  restart(): Promise<void>;
  /** An orderly stop that it does not come back from before it is restarted. */
  hold(): Promise<void>;
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
}

const backOffMs = 1000;

export function supervise(process: Restartable): Supervised {
  /** While this is set, an end is none of the supervisor's business. */
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
        // Kubernetes would not give up either; what it says is in the output of the process.
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
