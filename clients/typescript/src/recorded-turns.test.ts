import { bytesOf, RecordedTurns, shorten } from './recorded-turns.js';
import { adviceLines } from './test-kit/scripted-server.js';

const turnsOf = (record: RecordedTurns) => JSON.parse(record.toJson()) as Record<string, string | number>[];

describe('the record of a run', () => {
  it('numbers turns and leaves out what is absent', () => {
    const record = new RecordedTurns();
    record.add({ inputs: 'a', decision: 'b' });
    record.add({ inputs: undefined, decision: null, result: { rows: 3 }, memory: 7 });

    expect(turnsOf(record)).toEqual([
      { turn: 1, inputs: 'a', decision: 'b' },
      { turn: 2, inputs: '', decision: '', result: '{"rows":3}', memory: '7' },
    ]);
  });

  it('keeps the first and the last of 10,000 large turns, within the limit of an upload', () => {
    const record = new RecordedTurns();
    for (let turn = 0; turn < 10_000; turn++) record.add({ inputs: 'x'.repeat(3000), decision: `step ${turn}` });
    const turns = turnsOf(record);

    expect(bytesOf(record.toJson())).toBeLessThan(3 * 1024 * 1024);
    expect(turns[0]).toMatchObject({ turn: 1, decision: 'step 0' });
    expect(turns.at(-1)).toMatchObject({ turn: 10_000, decision: 'step 9999' });
    expect(record.leftOut).toBe(10_000 - turns.length);
    expect(turns.length).toBeGreaterThan(900);
  });

  it('shortens long values visibly, and counts them', () => {
    const record = new RecordedTurns({ valueChars: 100, bytes: 10_000 });
    record.add({ inputs: 'short', decision: `${'a'.repeat(500)}${'z'.repeat(500)}` });
    const [turn] = turnsOf(record);

    expect(turn?.['decision']).toBe(`${'a'.repeat(75)}\n… [900 characters left out] …\n${'z'.repeat(25)}`);
    expect(record.shortened).toBe(1);
  });

  it('leaves no half of a character', () => {
    expect(shorten('😀'.repeat(10), 5)).toBe('😀😀\n… [15 characters left out] …\n\ufffd');
    expect(shorten('a\ud83d', 5)).toBe('a\ufffd');
  });

  it('takes Whetstone’s own advice out, also of JSON', () => {
    const record = new RecordedTurns();
    const task = `Count the stars\n\n${adviceLines}`;
    record.add({ inputs: task, decision: { said: task, next: 'go' } });

    expect(turnsOf(record)).toEqual([
      { turn: 1, inputs: 'Count the stars', decision: '{"said":"Count the stars","next":"go"}' },
    ]);
  });

  it('says of values that have no JSON what they are', () => {
    const circle: Record<string, unknown> = Object.create(null);
    circle['self'] = circle;
    const record = new RecordedTurns();
    record.add({ inputs: circle, decision: () => 1, result: [10n] });
    const [turn] = turnsOf(record);

    expect(turn?.['inputs']).toContain('circular');
    expect(turn?.['decision']).toBe('() => 1');
    expect(turn?.['result']).toContain('BigInt');
  });
});
