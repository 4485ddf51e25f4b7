import { Circuit } from './circuit.js';

describe('a circuit', () => {
  let now = 0;
  const open = () => new Circuit({ pauseMs: 100, longestPauseMs: 300 }, () => now);

  it('lets everyone through until something fails, then nobody', () => {
    const circuit = open();
    expect([circuit.admits(), circuit.admits()]).toEqual([true, true]);
    circuit.failed();

    expect(circuit.admits()).toBe(false);
    now += 99;
    expect(circuit.admits()).toBe(false);
  });

  it('lets one call through after the pause, and closes when that is answered', () => {
    const circuit = open();
    circuit.failed();
    now += 100;

    expect([circuit.admits(), circuit.admits()]).toEqual([true, false]);
    circuit.answered();
    expect([circuit.admits(), circuit.admits()]).toEqual([true, true]);
  });

  it('pauses twice as long after each further failure, up to a limit', () => {
    const circuit = open();
    const pauses = [100, 200, 300, 300];
    for (const pause of pauses) {
      circuit.failed();
      now += pause - 1;
      expect(circuit.admits()).toBe(false);
      now += 1;
      expect(circuit.admits()).toBe(true);
    }
  });

  it('counts calls that fail together once', () => {
    const circuit = open();
    for (let call = 0; call < 10; call++) circuit.failed();
    now += 100;

    expect(circuit.admits()).toBe(true);
  });

  it('waits as long as the server asks, within reason', () => {
    const circuit = open();
    circuit.failed(5000);
    now += 4999;
    expect(circuit.admits()).toBe(false);
    now += 1;
    expect(circuit.admits()).toBe(true);
    circuit.failed(1e12);
    now += 600_000;
    expect(circuit.admits()).toBe(true);
  });
});
