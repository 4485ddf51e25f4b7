import { setTimeout as sleep } from 'node:timers/promises';

import { FairPool, type Lane, type Pace } from './fair-pool.js';

describe('FairPool', () => {
  it('never runs more than its concurrency, and everything in the end', async () => {
    const pool = new FairPool(3);
    let most = 0;
    let done = 0;
    for (let index = 0; index < 20; index++) {
      pool.add({
        lane: laneOf(`${index % 2}`),
        run: async () => {
          most = Math.max(most, pool.running);
          await turn();
          done++;
        },
      });
    }
    await pool.idle();

    expect({ most, done }).toEqual({ most: 3, done: 20 });
  });

  it('takes the accounts in turn, so that a crowd in one delays another by one turn', async () => {
    const { pool, order, add } = setUp();
    for (let index = 0; index < 1000; index++) add('crowded', `${index % 200}`);
    add('quiet');
    add('other');
    await pool.idle();

    expect(order.indexOf('quiet/')).toBeLessThanOrEqual(2);
    expect(order.indexOf('other/')).toBeLessThanOrEqual(3);
    expect(order).toHaveLength(1002);
  });

  it('takes the collections of an account in turn', async () => {
    const { pool, order, add } = setUp();
    for (let index = 0; index < 100; index++) add('one', 'crowded');
    for (let index = 0; index < 100; index++) add('two', 'crowded');
    add('one', 'quiet');
    await pool.idle();

    expect(order.indexOf('one/quiet')).toBeLessThanOrEqual(4);
    expect(order).toHaveLength(201);
  });

  it('takes the partitions of a collection in turn', async () => {
    const pool = new FairPool(1);
    const order: number[] = [];
    for (const partition of [0, 1, 2]) {
      for (let index = 0; index < 100; index++) {
        pool.add({ lane: { ...laneOf('x'), partition }, run: async () => void order.push(partition) });
      }
    }
    await pool.idle();

    // The first began before the others were there.
    expect(order.slice(0, 8)).toEqual([0, 0, 1, 2, 0, 1, 2, 0]);
    expect(order).toHaveLength(300);
  });

  it('decides whose turn it is when a task may begin, not before', async () => {
    const begin: (() => void)[] = [];
    const { pool, order, add } = setUp({ concurrency: 16, pace: () => new Promise((resolve) => begin.push(resolve)) });
    for (let index = 0; index < 100; index++) add('crowded');
    await turn();
    add('quiet');
    for (let index = 0; index < 3; index++) {
      begin.shift()?.();
      await turn();
    }

    expect(order).toEqual(['crowded/', 'quiet/', 'crowded/']);
    pool.clear();
  });

  it('is idle once it is cleared, also while it waits to begin', async () => {
    const pace = (signal: AbortSignal) => new Promise<void>((_, reject) => signal.addEventListener('abort', reject));
    const { pool, order, add } = setUp({ pace });
    add('one');
    pool.clear();
    await pool.idle();
    await turn();

    expect([pool.running, order]).toEqual([0, []]);
  });

  function setUp({ concurrency = 1, pace }: { concurrency?: number; pace?: Pace } = {}) {
    const pool = new FairPool(concurrency, pace);
    const order: string[] = [];
    const add = (account: string, collection = '') =>
      pool.add({ lane: { account, collection }, run: async () => void order.push(`${account}/${collection}`) });
    return { pool, order, add };
  }

  it('runs tasks of one serial key one after another, in order, also from different lanes', async () => {
    const pool = new FairPool(10);
    const events: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      pool.add({
        lane: laneOf(name),
        serialKey: 'job',
        run: async () => {
          events.push(`${name} begins`);
          await turn();
          events.push(`${name} ends`);
        },
      });
    }
    await pool.idle();

    expect(events).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  it('does not begin what was cancelled, and lets its followers go on', async () => {
    const pool = new FairPool(1);
    const order: string[] = [];
    const task = (name: string) => ({ lane: laneOf('x'), serialKey: 'job', run: async () => void order.push(name) });
    const [first, second, third] = [task('first'), task('second'), task('third')];
    for (const each of [first, second, third]) pool.add(each);
    pool.cancel(second);
    await pool.idle();

    expect(order).toEqual(['first', 'third']);
  });

  it('begins nothing that was cancelled while it waited', async () => {
    const pool = new FairPool(1);
    const order: string[] = [];
    const task = (account: string) => ({ lane: laneOf(account), run: async () => void order.push(account) });
    let finish = () => {};
    pool.add({ lane: laneOf('x'), run: () => new Promise<void>((resolve) => (finish = resolve)) });
    const cancelled = Array.from({ length: 10 }, () => task('gone'));
    for (const each of cancelled) pool.add(each);
    pool.add(task('stays'));
    for (const each of cancelled) pool.cancel(each);
    pool.cancel(task('never added'));
    finish();
    await pool.idle();

    expect(order).toEqual(['stays']);
  });

  it('lets a follower of a cancelled task wait for its turn', async () => {
    const pool = new FairPool(1);
    const order: string[] = [];
    const task = (name: string) => ({ lane: laneOf('x'), serialKey: 'job', run: async () => void order.push(name) });
    let finish = () => {};
    pool.add({ lane: laneOf('y'), run: () => new Promise<void>((resolve) => (finish = resolve)) });
    const [first, second] = [task('first'), task('second')];
    pool.add(first);
    pool.add(second);
    pool.cancel(first);
    expect(order).toEqual([]);
    finish();
    await pool.idle();

    expect(order).toEqual(['second']);
  });

  it('warns of no leak while all its places wait to begin', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on('warning', onWarning);
    const pool = new FairPool(16, (signal) => sleep(1, undefined, { signal }));
    for (let index = 0; index < 16; index++) pool.add({ lane: laneOf('x'), run: turn });
    await sleep(20);
    await pool.idle();
    process.off('warning', onWarning);

    expect(warnings).toEqual([]);
  });

  it('forgets what waits when it is cleared, and lets what runs end', async () => {
    const pool = new FairPool(1);
    const order: string[] = [];
    for (const name of ['runs', 'waits'])
      pool.add({ lane: laneOf('x'), run: () => turn().then(() => void order.push(name)) });
    pool.clear();
    await pool.idle();

    expect(order).toEqual(['runs']);
  });
});

function laneOf(account: string): Lane {
  return { account, collection: account };
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
