import { AppError } from '@whetstone/platform';

/** The calls that are being worked on. */
export interface OpenCalls {
  add(): AbortController;
  delete(call: AbortController): void;
  /** Whether the call was given up because the server stops. */
  stopped(call: AbortController): boolean;
  /** Gives up all of them. */
  abort(): void;
  /** Resolves when none is left. */
  ended(): Promise<void>;
}

export function createOpenCalls(): OpenCalls {
  const open = new Set<AbortController>();
  const stop = new AppError('cancelled', 'The server stops');
  let onEmpty = () => {};

  return {
    add() {
      const call = new AbortController();
      open.add(call);
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
    ended: () =>
      new Promise((resolve) => {
        if (open.size === 0) resolve();
        else onEmpty = resolve;
      }),
  };
}
