import fc from 'fast-check';

import { type OfferedEvent, PartitionWindow, type WindowLimits } from './partition-window.js';

const limits: WindowLimits = { messages: 8, bytes: 1000, ahead: 10_000 };

describe('a partition window', () => {
  it('lets a position move only over a front that is finished without a gap', () => {
    const window = new PartitionWindow(limits);
    for (const offset of [3, 4, 7]) window.offer({ offset, bytes: 1, account: 'a' });
    window.finish(4);
    expect(window.finishedTo).toBe(3);

    window.finish(3);
    expect(window.finishedTo).toBe(7);

    window.finish(7);
    expect(window.finishedTo).toBe(8);
  });

  it('is full by bytes too, and takes one event that is larger than all of it', () => {
    const window = new PartitionWindow(limits);

    expect(window.offer({ offset: 0, bytes: 5000, account: 'a' })).toBe(true);
    expect(window.offer({ offset: 1, bytes: 1, account: 'a' })).toBe(false);
    expect(window.offer({ offset: 2, bytes: 1, account: 'b' })).toBe(false);
  });

  it('reads on behind an account that has filled it, and comes back for what it left out', () => {
    const { taken, window, readAll } = openOn([...crowd(100), 'quiet']);
    readAll();
    expect(taken()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);

    window.finish(3);
    readAll();
    // One end of another account is all that it waited for.
    expect(taken().at(-1)).toBe(100);
    expect(window.finishedTo).toBe(0);

    for (const offset of [0, 1, 2, 4, 5]) window.finish(offset);
    readAll();
    expect(taken().slice(9)).toEqual([8, 9]);
  });

  it('reads no further ahead of the committed position than it may, and on when that moves', () => {
    const { window, readAll, seen } = openOn(crowd(100), { ...limits, ahead: 40 });
    readAll();
    expect(seen()).toBe(40);

    for (let offset = 0; offset < 8; offset++) window.finish(offset);
    readAll();
    expect(seen()).toBeGreaterThan(40);
  });

  it('does not wait for events that the log no longer has', () => {
    const log = openOn([...crowd(50), 'quiet']);
    log.readAll();
    for (let offset = 10; offset < 50; offset++) log.remove(offset);
    for (let offset = 0; offset < 10; offset++) log.window.finish(offset);
    log.readAll();
    for (const offset of [8, 9, 50]) log.window.finish(offset);
    log.readAll();

    expect(log.window.finishedTo).toBe(51);
  });
});

describe('whatever the accounts and sizes of the events, in whatever order they end', () => {
  const events = fc.array(
    fc.record({ account: fc.constantFrom('a', 'a', 'a', 'a', 'b', 'c', 'd'), bytes: fc.integer({ min: 1, max: 400 }) }),
    { minLength: 1, maxLength: 120 },
  );
  const choices = fc.infiniteStream(fc.nat());

  it('takes every event once, each account in order, within the limits, and commits nothing unfinished', () => {
    fc.assert(
      fc.property(events, choices, fc.integer({ min: 1, max: 20 }), (all, choose, batch) => {
        const log = openOn(
          all.map(({ account }) => account),
          limits,
          all.map(({ bytes }) => bytes),
        );
        const open = new Set<number>();
        const finished = new Set<number>();
        let heardOf = 0;
        while (finished.size < all.length) {
          log.read(batch);
          for (const offset of log.taken().slice(heardOf)) open.add(offset);
          heardOf = log.taken().length;
          const next = [...open][(choose.next().value as number) % Math.max(1, open.size)];
          if (next !== undefined) {
            log.window.finish(next);
            open.delete(next);
            finished.add(next);
          }
          expect(log.window.messages).toBe(open.size);
          expect(open.size).toBeLessThanOrEqual(limits.messages);
          expect(log.window.bytes).toBeLessThan(limits.bytes + 400);
          const first = all.findIndex((_, offset) => !finished.has(offset));
          expect(log.window.finishedTo).toBeLessThanOrEqual(first < 0 ? all.length : first);
        }
        log.readAll();
        expect(log.window.finishedTo).toBe(all.length);
        expect([...log.taken()].sort((one, other) => one - other)).toEqual(all.map((_, offset) => offset));
        for (const account of 'abcd') {
          const own = log.taken().filter((offset) => all[offset]?.account === account);
          expect(own).toEqual([...own].sort((one, other) => one - other));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('takes an event of an account within as many ends as there are accounts, however many of others are before it', () => {
    const crowds = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 20, maxLength: 300 });
    fc.assert(
      fc.property(crowds, choices, (others, choose) => {
        const log = openOn([...others, 'quiet']);
        log.readAll();
        const open = new Set(log.taken());
        for (let ends = 0; ends < 3; ends++) {
          const next = [...open][(choose.next().value as number) % open.size] as number;
          open.delete(next);
          log.window.finish(next);
          log.readAll();
        }
        expect(log.taken()).toContain(others.length);
      }),
      { numRuns: 200 },
    );
  });
});

function crowd(count: number): string[] {
  return Array.from({ length: count }, () => 'crowded');
}

/** A log with one event per account that is named, and a reader that follows the window. */
function openOn(accounts: readonly string[], windowLimits = limits, bytes: readonly number[] = []) {
  const window = new PartitionWindow(windowLimits);
  const log: (OfferedEvent | undefined)[] = accounts.map((account, offset) => ({
    account,
    offset,
    bytes: bytes[offset] ?? 1,
  }));
  const taken: number[] = [];
  let seen = 0;

  /** False if there is nothing to read. */
  function read(count: number): boolean {
    const from = window.readFrom() ?? log.length;
    const batch = log.filter((event) => event !== undefined && event.offset >= from).slice(0, count) as OfferedEvent[];
    for (const event of batch) {
      seen = Math.max(seen, event.offset + 1);
      if (window.offer(event)) taken.push(event.offset);
    }
    return batch.length > 0;
  }

  return {
    window,
    read,
    readAll() {
      for (let batches = 0; read(1); batches++) if (batches > 10_000) throw new Error('It reads for ever');
    },
    remove(offset: number) {
      log[offset] = undefined;
    },
    taken: () => taken,
    seen: () => seen,
  };
}
