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

  const circle: Record<string, unknown> = Object.assign(Object.create(null), { name: 'ring' });
  circle['self'] = circle;
  const throwing = {
    toJSON() {
      throw new Error('no');
    },
  };

  it.each([
    [new TypeError('boom'), 'TypeError: boom'],
    [{ failed: new Error('boom') }, '{"failed":"Error: boom"}'],
    [new Map([['a', new Set([1])]]), '{"a":[1]}'],
    [[10n, Number.NaN, undefined, '\ud800'], '["10","NaN",null,"\ufffd"]'],
    [{ image: Buffer.from('hi') }, '{"image":"[2 bytes]"}'],
    [circle, '{"name":"ring","self":"[circular]"}'],
    [[circle['name'], circle['name']], '["ring","ring"]'],
    [() => 1, '() => 1'],
    [throwing, '[object Object] (no)'],
  ])('keeps values that JSON has no word for: %#', (value, expected) => {
    const record = new RecordedTurns();
    record.add({ inputs: value, decision: '' });

    expect(turnsOf(record)[0]?.['inputs']).toBe(expected);
  });
});
