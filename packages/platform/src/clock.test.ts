import { createSystemClock } from './clock.js';

describe('the system clock', () => {
  it('counts microseconds of the wall clock', () => {
    expect(createSystemClock(() => 1_700_000_000_123).now()).toBe(1_700_000_000_123_000);
  });

  it('goes on where the wall clock stands still', () => {
    const clock = createSystemClock(() => 5);

    expect([clock.now(), clock.now(), clock.now()]).toEqual([5000, 5001, 5002]);
  });

  it('never steps back with the wall clock, and follows it again once it has caught up', () => {
    const wall = [10, 3, 3, 11];
    const clock = createSystemClock(() => wall.shift() ?? 0);

    expect([clock.now(), clock.now(), clock.now(), clock.now()]).toEqual([10_000, 10_001, 10_002, 11_000]);
  });
});
