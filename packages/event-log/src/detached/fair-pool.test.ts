import { FairPool } from './fair-pool.js';

describe('FairPool', () => {
  it('never runs more than its concurrency, and everything in the end', async () => {
    const pool = new FairPool(3);
    let most = 0;
    let done = 0;
    for (let index = 0; index < 20; index++) {
      pool.add({
        lane: `${index % 2}`,
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

  it('takes the lanes in turn, so that a crowd in one delays another by one round', async () => {
    const pool = new FairPool(1);
    const order: string[] = [];
    const add = (lane: string) => pool.add({ lane, run: async () => void order.push(lane) });
    for (let index = 0; index < 1000; index++) add('crowded');
    add('quiet');
    add('other');
    await pool.idle();

    expect(order.indexOf('quiet')).toBeLessThanOrEqual(2);
    expect(order.indexOf('other')).toBeLessThanOrEqual(3);
    expect(order).toHaveLength(1002);
  });

  it('runs tasks of one serial key one after another, in order, also from different lanes', async () => {
    const pool = new FairPool(10);
    const events: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      pool.add({
        lane: name,
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
    const task = (name: string) => ({ lane: 'x', serialKey: 'job', run: async () => void order.push(name) });
    const [first, second, third] = [task('first'), task('second'), task('third')];
    for (const each of [first, second, third]) pool.add(each);
    pool.cancel(second);
    await pool.idle();

    expect(order).toEqual(['first', 'third']);
  });

  it('forgets what waits when it is cleared, and lets what runs end', async () => {
    const pool = new FairPool(1);
    const order: string[] = [];
    for (const name of ['runs', 'waits']) pool.add({ lane: 'x', run: () => turn().then(() => void order.push(name)) });
    pool.clear();
    await pool.idle();

    expect(order).toEqual(['runs']);
  });
});

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
