import { setTimeout as pause } from 'node:timers/promises';

import { AppError } from '@whetstone/platform';

/** The calls that are being worked on. */
export interface OpenCalls {
  add(): AbortController;
  delete(call: AbortController): void;
  /** Whether the call was given up because the server stops. */
  stopped(call: AbortController): boolean;
  /** Gives up all of them. */
  abort(): void;
  /** Resolves when for so long there has been none, of those that came meanwhile neither. */
  quiet(forMs: number): Promise<void>;
}

export function createOpenCalls(): OpenCalls {
  const open = new Set<AbortController>();
  const stop = new AppError('cancelled', 'The server stops');
  let onEmpty = () => {};
  let begun = 0;

  const empty = () =>
    new Promise<void>((resolve) => {
      if (open.size === 0) resolve();
      else onEmpty = resolve;
    });

  return {
    add() {
      const call = new AbortController();
      open.add(call);
      begun++;
      return call;
    },
    delete(call) {
      open.delete(call);
      if (open.size === 0) onEmpty();
    },
    stopped: ({ signal }) => signal.reason === stop,
    abort() {
      for (const call of open) call.abort(stop);
    },
    async quiet(forMs) {
      let before: number;
      do {
        await empty();
        before = begun;
        await pause(forMs);
      } while (begun > before);
    },
  };
}
