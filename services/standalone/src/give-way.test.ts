import { createGiveWay } from './give-way.js';

describe('learning that gives way to requests', () => {
  const signal = new AbortController().signal;

  function setUp() {
    const world = { now: 0, utilization: 0, slept: [] as number[] };
    const pace = createGiveWay({
      utilization: () => world.utilization,
      nowMs: () => world.now,
      sleep: async (timeMs) => world.slept.push(timeMs),
    });
    return { world, pace };
  }

  it('begins jobs at once while the process has time', async () => {
    const { world, pace } = setUp();
    world.now = 200;
    world.utilization = 0.3;

    for (let job = 0; job < 5; job++) await pace.turn(signal);

    expect(world.slept).toEqual([]);
  });

  it('begins them one by one and apart from each other while it has none, and never stands still', async () => {
    const { world, pace } = setUp();
    world.now = 200;
    world.utilization = 1;

    for (let job = 0; job < 4; job++) await pace.turn(signal);

    expect(world.slept).toEqual([0, 100, 200, 300]);
  });

  it('goes back to full speed once requests have become fewer', async () => {
    const { world, pace } = setUp();
    world.now = 200;
    world.utilization = 1;
    await pace.turn(signal);
    world.now = 400;
    world.utilization = 0.2;

    await pace.turn(signal);

    expect(world.slept).toEqual([0]);
  });

  it('ends the waiting of a job that is taken away', async () => {
    const pace = createGiveWay({ utilization: () => 1, nowMs: clockOf([0, 200, 200]) });
    await pace.turn(signal);
    const taken = new AbortController();
    const waiting = pace.turn(taken.signal);

    taken.abort();

    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  });
});

function clockOf(times: number[]): () => number {
  return () => times.shift() ?? 200;
}
