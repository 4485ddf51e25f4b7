/** Settles as `work` does, or rejects with the signal's reason as soon as that aborts; `work` itself may run on unheard. */
export async function abortable<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  let stop = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/**
 * Runs `work` with a signal of its own that follows the outer one: whatever listens to it and forgets to stop is gone with
 * the work, however long the outer signal lives.
 */
export async function withOwnSignal<Result>(
  signal: AbortSignal,
  work: (own: AbortController) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  const own = new AbortController();
  const follow = () => own.abort(signal.reason);
  signal.addEventListener('abort', follow, { once: true });
  try {
    return await work(own);
  } finally {
    signal.removeEventListener('abort', follow);
  }
}

export interface TimeLimit {
  timeoutMs: number;
  /** What the work is rejected with when its time is over. */
  error(): Error;
}

/** Runs `work` with a signal of its own that aborts with the outer one or when the time is over. */
export function withTimeLimit<Result>(
  { timeoutMs, error }: TimeLimit,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  return withOwnSignal(signal, async (own) => {
    const timer = setTimeout(() => own.abort(error()), timeoutMs);
    try {
      return await abortable(work(own.signal), own.signal);
    } finally {
      clearTimeout(timer);
    }
  });
}
