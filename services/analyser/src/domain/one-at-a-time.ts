import { abortable } from './abortable.js';

/** Runs work of one name one after another; work of different names does not wait for each other. */
export type OneAtATime = <Result>(name: string, signal: AbortSignal, work: () => Promise<Result>) => Promise<Result>;

export function createOneAtATime(): OneAtATime {
  const tails = new Map<string, Promise<void>>();

  return async (name, signal, work) => {
    const before = tails.get(name);
    let done = (): void => {};
    const tail = new Promise<void>((resolve) => {
      done = resolve;
    });
    const mine = before ? before.then(() => tail) : tail;
    tails.set(name, mine);
    try {
      if (before) await abortable(before, signal);
      return await work();
    } finally {
      done();
      if (tails.get(name) === mine) tails.delete(name);
    }
  };
}
