import { interactionOf } from './interaction-of.js';

const upload = { tenant_id: 'shop', query: 'Buy milk', turns: [] };

describe('interactionOf', () => {
  it('puts turns in order, and leaves turns of one number as they came', () => {
    const turns = [
      { turn: 3, inputs: 'c', decision: '' },
      { turn: -1, inputs: 'a', decision: '' },
      { turn: 2, inputs: 'b1', decision: '' },
      { turn: 2, inputs: 'b2', decision: '' },
    ];

    expect(interactionOf({ ...upload, turns }).turns.map(({ inputs }) => inputs)).toEqual(['a', 'b1', 'b2', 'c']);
  });

  it('counts null as absent and leaves out what it does not know', () => {
    const turn = { turn: 1, inputs: 'a', decision: 'b', memory: null, result: null, extra: 1 };
    const given = {
      ...upload,
      turns: [turn],
      success: null,
      agent_type: null,
      timestamp: null,
      metadata: null,
      extra: 1,
    };

    expect(interactionOf(given)).toEqual({ query: 'Buy milk', turns: [{ turn: 1, inputs: 'a', decision: 'b' }] });
  });

  it('keeps an empty text, which is not the same as none', () => {
    const turn = { turn: 1, inputs: '', decision: '', memory: '', result: '' };

    expect(interactionOf({ ...upload, turns: [turn], agent_type: '' })).toMatchObject({ turns: [turn], agentType: '' });
  });

  it('keeps what is not text as compact JSON', () => {
    const action = { action_type: 'click', args: [1, null, { ü: true }] };
    const turn = { turn: 1, inputs: 7, decision: action, memory: false, result: [] };

    expect(interactionOf({ ...upload, turns: [turn] }).turns).toEqual([
      {
        turn: 1,
        inputs: '7',
        decision: '{"action_type":"click","args":[1,null,{"ü":true}]}',
        memory: 'false',
        result: '[]',
      },
    ]);
  });

  it('keeps a key called __proto__ in what is not text', () => {
    const decision = JSON.parse('{"__proto__": {"a": 1}, "toJSON": 1}');

    expect(interactionOf({ ...upload, turns: [{ turn: 1, inputs: '', decision }] }).turns[0]?.decision).toBe(
      '{"__proto__":{"a":1},"toJSON":1}',
    );
  });

  it('lets secrets be taken out of what is not text before it becomes JSON', () => {
    const turn = { turn: 1, inputs: 'text', decision: { a: 1 }, memory: null, result: [2] };
    const seen: unknown[] = [];
    const redactJson = (value: unknown) => {
      seen.push(value);
      return 'gone';
    };

    expect(interactionOf({ ...upload, turns: [turn] }, redactJson).turns).toEqual([
      { turn: 1, inputs: 'text', decision: '"gone"', result: '"gone"' },
    ]);
    expect(seen).toEqual([{ a: 1 }, [2]]);
  });

  it('leaves out a moment that microseconds cannot tell exactly, such as an unset clock', () => {
    expect(interactionOf({ ...upload, timestamp: '0001-01-01T00:00:00Z' })).not.toHaveProperty('timestamp');
    expect(interactionOf({ ...upload, timestamp: '1970-01-01T00:00:00.000001Z' }).timestamp).toBe(1);
  });
});
