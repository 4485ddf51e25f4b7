import { FetchRounds } from './fetch-rounds.js';

const lookMs = 100;

describe('rounds of fetching', () => {
  it('leave nothing before a look at the end once every broker has answered a fetch that began after it, and all is applied', () => {
    const rounds = new FetchRounds();
    fetchOnce(rounds, 1, 90);
    fetchOnce(rounds, 2, 110);
    rounds.begun(1, 120);
    rounds.begun(2, 130);
    expect(rounds.nothingLeft(0, lookMs)).toBe(false);

    rounds.answered('broker-1', 50, 125);
    rounds.ended(1);
    expect(rounds.nothingLeft(0, lookMs)).toBe(false);
    rounds.begun(1, 140);

    expect(rounds.nothingLeft(0, lookMs)).toBe(true);
  });

  it('do not count for a partition of which they brought something: there may be a further segment', () => {
    const rounds = new FetchRounds();
    fetchOnce(rounds, 1, 110);
    rounds.brought(0, 117);
    fetchOnce(rounds, 1, 120);
    expect([0, 1].map((partition) => rounds.nothingLeft(partition, lookMs))).toEqual([false, true]);

    rounds.begun(1, 130);

    expect(rounds.nothingLeft(0, lookMs)).toBe(true);
  });

  it('do not count where a broker did not answer', () => {
    const rounds = new FetchRounds();
    fetchOnce(rounds, 1, 50);
    rounds.begun(1, 110);
    rounds.ended(1);
    rounds.begun(1, 120);

    expect(rounds.nothingLeft(0, lookMs)).toBe(false);
  });

  it('do not count where an answer was large enough to have been cut', () => {
    const rounds = new FetchRounds();
    fetchOnce(rounds, 1, 110, 2_000_000);
    rounds.begun(1, 120);

    expect(rounds.nothingLeft(0, lookMs)).toBe(false);
  });

  it('count from the beginning after the group was joined anew', () => {
    const rounds = new FetchRounds();
    fetchOnce(rounds, 1, 110);
    rounds.begun(1, 120);
    expect(rounds.nothingLeft(0, lookMs)).toBe(true);

    rounds.reset();

    expect(rounds.nothingLeft(0, lookMs)).toBe(false);
  });
});

function fetchOnce(rounds: FetchRounds, broker: number, atMs: number, bytes = 50): void {
  rounds.begun(broker, atMs);
  rounds.answered(`broker-${broker}`, bytes, atMs + 5);
  rounds.ended(broker);
}
