import type { UsageEvent } from '@whetstone/contracts';
import { createCountUsage } from './count-usage.js';

const dayMicros = 86_400e6;
const key = { account: 'acme', keyId: 'k' };

function counting() {
  const events: UsageEvent[] = [];
  const state = { isAway: false, appended: Promise.resolve() };
  const count = createCountUsage({
    process: 'p',
    async append(event) {
      if (state.isAway) throw new Error('the log is away');
      events.push(structuredClone(event));
      await state.appended;
    },
  });
  return { ...count, events, state };
}

describe('the usage of a process', () => {
  it('is reported as totals of the day, if something has changed', async () => {
    const { add, report, events } = counting();
    add(key, 7 * dayMicros, { answers: 1, emptyAnswers: 1 });
    await report();
    await report();
    add(key, 7 * dayMicros + 1, { uploads: 2, bytes: 30 });
    add({ ...key, keyId: 'other' }, 8 * dayMicros - 1, { refusals: 1 });
    await report();

    const none = { answers: 0, emptyAnswers: 0, uploads: 0, bytes: 0, refusals: 0 };
    const first = { ...none, ...key, answers: 1, emptyAnswers: 1 };
    expect(events).toEqual([
      { process: 'p', day: 7, part: 0, keys: [first] },
      {
        process: 'p',
        day: 7,
        part: 0,
        keys: [
          { ...first, uploads: 2, bytes: 30 },
          { ...none, ...key, keyId: 'other', refusals: 1 },
        ],
      },
    ]);
  });

  it('begins anew every day, and still takes what began the day before', async () => {
    const { add, report, events } = counting();
    add(key, 7 * dayMicros, { answers: 1 });
    await report();
    add(key, 8 * dayMicros, { answers: 1 });
    await report();
    add(key, 8 * dayMicros - 1, { answers: 1 });
    await report();

    expect(events.map(({ day, keys }) => [day, keys[0]?.answers])).toEqual([
      [7, 1],
      [8, 1],
      [7, 2],
    ]);
  });

  it('loses nothing while the log is away', async () => {
    const { add, report, events, state } = counting();
    state.isAway = true;
    add(key, 1, { answers: 1 });
    await expect(report()).rejects.toThrow('away');
    state.isAway = false;
    add(key, 1, { answers: 1 });
    await report();

    expect(events).toMatchObject([{ keys: [{ answers: 2 }] }]);
  });

  it('is reported once more for all who ask during a report, with what was counted until then', async () => {
    const { add, report, events, state } = counting();
    let appended = (): void => {};
    state.appended = new Promise((resolve) => (appended = resolve));
    add(key, 1, { answers: 1 });
    const first = report();
    await new Promise(setImmediate);
    const others = [report(), report(), report()];
    add(key, 1, { answers: 1 });
    expect(events).toHaveLength(1);
    appended();
    await Promise.all([first, ...others]);

    expect(events.map(({ keys }) => keys[0]?.answers)).toEqual([1, 2]);
    expect(new Set(others).size).toBe(1);
    add(key, 1, { answers: 1 });
    await report();
    expect(events).toHaveLength(3);
  });

  it('is reported after a report that failed, for those who asked meanwhile', async () => {
    const { add, report, events, state } = counting();
    state.isAway = true;
    add(key, 1, { answers: 1 });
    const first = report();
    await expect(first).rejects.toThrow('away');
    const [second, third] = [report(), report()];
    state.isAway = false;
    await Promise.all([second, third]);

    expect(events).toMatchObject([{ keys: [{ answers: 1 }] }]);
  });

  it('forgets days that could not be reported for long, so that it does not grow', async () => {
    const { add, report, events } = counting();
    for (let day = 1; day <= 9; day++) add(key, day * dayMicros, { answers: 1 });
    await report();

    expect(events.map(({ day }) => day)).toEqual([7, 8, 9]);
  });

  it('comes in parts of a hundred keys, of which only the changed ones are reported', async () => {
    const { add, report, events } = counting();
    for (let number = 0; number < 250; number++) add({ ...key, keyId: `k${number}` }, 1, { answers: 1 });
    await report();
    add({ ...key, keyId: 'k120' }, 1, { answers: 1 });
    await report();

    expect(events.map(({ part, keys }) => [part, keys.length])).toEqual([
      [0, 100],
      [1, 100],
      [2, 50],
      [1, 100],
    ]);
  });
});
