/** Runs work as soon as it is its turn. Rejects with the reason of the signal where that aborts before. */
export type LimitAtOnce = <Result>(work: () => Promise<Result>, signal: AbortSignal) => Promise<Result>;

/** So many at the same time; the others wait in the order in which they came. */
export function createLimitAtOnce(limit: number): LimitAtOnce {
  const waiting = new Set<() => void>();
  let running = 0;

  return async (work, signal) => {
    signal.throwIfAborted();
    if (running >= limit) await turn(signal);
    else running++;
    try {
      return await work();
    } finally {
      const [next] = waiting;
      if (next) next();
      else running--;
    }
  };

  /** Whoever ends hands its place over, so that nobody who comes meanwhile takes it. */
  function turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiting.delete(begin);
        signal.removeEventListener('abort', giveUp);
      };
      const begin = () => {
        leave();
        resolve();
      };
      const giveUp = () => {
        leave();
        reject(signal.reason);
      };
      waiting.add(begin);
      signal.addEventListener('abort', giveUp);
    });
  }
}
