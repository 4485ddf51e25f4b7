import { AppError, sleep } from '@whetstone/platform';

/** Calls in flight. */
export interface OpenCalls {
  add(call: { repeatable: boolean }): AbortController;
  delete(call: AbortController): void;
  /** Whether the call was aborted by the stop of the server. */
  stopped(call: AbortController): boolean;
  /** Aborts all of them. */
  abort(): void;
  /** Resolves when no unrepeatable call is in flight, or when the time is over. */
  repeatableOnly(withinMs: number): Promise<void>;
  /** Resolves once there has been no call for so long. */
  quiet(forMs: number): Promise<void>;
}

export function createOpenCalls(): OpenCalls {
  const open = new Set<AbortController>();
  const unrepeatable = new Set<AbortController>();
  const stop = new AppError('cancelled', 'The server stops');
  const waiting = new Map<Set<AbortController>, () => void>();
  let begun = 0;

  const empty = (calls: Set<AbortController>) =>
    new Promise<void>((resolve) => {
      if (calls.size === 0) resolve();
      else waiting.set(calls, resolve);
    });

  return {
    add({ repeatable }) {
      const call = new AbortController();
      open.add(call);
      if (!repeatable) unrepeatable.add(call);
      begun++;
      return call;
    },
    delete(call) {
      for (const calls of [open, unrepeatable]) {
        if (calls.delete(call) && calls.size === 0) waiting.get(calls)?.();
      }
    },
    stopped: ({ signal }) => signal.reason === stop,
    abort() {
      for (const call of open) call.abort(stop);
    },
    async repeatableOnly(withinMs) {
      await Promise.race([empty(unrepeatable), sleep(withinMs, { ref: false })]);
    },
    async quiet(forMs) {
      let before: number;
      do {
        await empty(open);
        before = begun;
        await sleep(forMs);
      } while (begun > before);
    },
  };
}
