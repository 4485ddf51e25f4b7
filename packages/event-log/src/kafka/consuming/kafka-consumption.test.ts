import { Assignment } from './kafka-consumption.js';

describe('the lag of a partition', () => {
  it('is as old as the oldest event that was delivered and is not committed', () => {
    const assignment = new Assignment(0);
    assignment.delivered(events(5));
    expect(assignment.lagSeconds(5, 20_000)).toBe(20);

    assignment.commit(3);

    expect(assignment.lagSeconds(2, 20_000)).toBe(17);
  });

  it('counts from when it was first seen where nothing has been delivered', () => {
    const assignment = new Assignment(0);

    const lagAt = (monotonicMs: number, messages: number) => assignment.lagSeconds(messages, 0, monotonicMs);

    expect(lagAt(20_000, 5)).toBe(0);
    expect(lagAt(23_000, 5)).toBe(3);
    expect(lagAt(24_000, 0)).toBe(0);
    expect(lagAt(30_000, 1)).toBe(0);
  });

  it('forgets what is delivered again', () => {
    const assignment = new Assignment(0);
    assignment.delivered(events(5));
    assignment.seek(2);
    assignment.delivered(events(5).slice(2));
    assignment.commit(4);

    expect(assignment.lagSeconds(1, 20_000)).toBe(16);
  });
});

/** One a second from the beginning of time. */
function events(count: number): { offset: number; timestampMs: number }[] {
  return Array.from({ length: count }, (_, offset) => ({ offset, timestampMs: offset * 1000 }));
}
