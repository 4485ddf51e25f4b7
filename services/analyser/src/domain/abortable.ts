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

export interface TimeLimit {
  timeoutMs: number;
  /** What the work is rejected with when its time is over. */
  error(): Error;
}

/** Runs `work` with a signal of its own that aborts with the outer one or when the time is over. */
export async function withTimeLimit<Result>(
  { timeoutMs, error }: TimeLimit,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  const limit = new AbortController();
  const stop = () => limit.abort(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  const timer = setTimeout(() => limit.abort(error()), timeoutMs);
  try {
    return await abortable(work(limit.signal), limit.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}
