/** Lets many writes through at a time, or one piece of work that must not meet any. */
export interface WriteGate {
  write<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Waits for the writes under way; later ones wait for the end of the work. One caller at a time. */
  alone(work: () => Promise<void>): Promise<void>;
}

export function createWriteGate(): WriteGate {
  const underWay = new Set<Promise<unknown>>();
  let closed: Promise<void> | undefined;

  return {
    async write(work) {
      while (closed !== undefined) await closed;
      const writing = work();
      underWay.add(writing);
      try {
        return await writing;
      } finally {
        underWay.delete(writing);
      }
    },
    async alone(work) {
      let open = () => {};
      closed = new Promise((resolve) => {
        open = resolve;
      });
      try {
        await Promise.allSettled(underWay);
        await work();
      } finally {
        closed = undefined;
        open();
      }
    },
  };
}
