import { rawActionsIn } from './calls.js';
import { readLiteral, writeForm } from './literals.js';

const read = (text: string) => rawActionsIn(readLiteral(text) ?? '');
const call = (verb: string, args: object) => expect.objectContaining({ verb, args });

describe('rawActionsIn', () => {
  it.each([
    ...['tool', 'tool_name', 'action', 'action_type', 'action_name', 'op', 'operation', 'command', 'function'],
    ...['function_name', 'recipient_name', 'method', 'name', 'call', 'api', 'toolName', 'next_action'],
  ])('finds the tool under %s, beside arguments', (key) => {
    expect(rawActionsIn({ [key]: 'sow', arguments: { row: 7 } })).toEqual([call('sow', { row: 7 })]);
    expect(rawActionsIn({ [key]: 'to sow, now', arguments: { row: 7 } })).toEqual([]);
  });

  it.each([
    ...['arguments', 'args', 'parameters', 'params', 'input', 'inputs', 'kwargs', 'action_input', 'action_args'],
    ...['tool_input', 'tool_args', 'tool_kwargs', 'toolInput'],
  ])('finds the arguments under %s', (key) => {
    expect(rawActionsIn({ name: 'sow', [key]: { row: 7 } })).toEqual([call('sow', { row: 7 })]);
    expect(rawActionsIn({ name: 'sow', [key]: '{"row": 7}' })).toEqual([call('sow', { row: 7 })]);
    expect(rawActionsIn({ tool: 'sow', [key]: null })).toEqual([call('sow', {})]);
  });

  it.each(['tool', 'tool_name', 'action', 'action_type', 'action_name', 'op', 'operation', 'command', 'actionType'])(
    'finds arguments beside the tool under %s',
    (key) => {
      expect(rawActionsIn({ [key]: 'sow', row: 7, id: 3 })).toEqual([call('sow', { row: 7, id: 3 })]);
    },
  );

  it.each(['function', 'name', 'type', 'method', 'call', 'api'])('takes %s with other fields for data', (key) => {
    expect(rawActionsIn({ [key]: 'sow', row: 7 })).toEqual([]);
  });

  it.each(['name', 'method', 'call', 'api'])('takes %s with a text and more for data', (key) => {
    expect(rawActionsIn({ [key]: 'sow', input: 'a text' })).toEqual([]);
    expect(rawActionsIn({ [key]: 'sow', input: {}, row: 7 })).toEqual([]);
    expect(rawActionsIn({ [key]: 'sow', input: '' })).toEqual([call('sow', {})]);
  });

  it.each([
    ...['tool_calls', 'tool_call', 'tool_uses', 'tool_use', 'function_calls', 'function_call', 'function', 'actions'],
    ...['action', 'command', 'tool', 'toolCalls', 'functionCall'],
  ])('finds calls in %s', (key) => {
    expect(rawActionsIn({ [key]: { name: 'sow', args: { row: 7 } }, other: 1 })).toEqual([call('sow', { row: 7 })]);
    expect(rawActionsIn({ [key]: { name: 'sow', row: 7 } })).toEqual([call('sow', { row: 7 })]);
    expect(rawActionsIn({ [key]: { type: 'sow', row: 7 } })).toEqual([call('sow', { row: 7 })]);
    expect(rawActionsIn({ [key]: { beds: { row: 7 } } })).toEqual([call('beds', { row: 7 })]);
    expect(rawActionsIn({ [key]: '{"name": "sow", "args": {"row": 7}}' })).toEqual([call('sow', { row: 7 })]);
  });

  it.each(['tool_calls', 'tool_call', 'tool_uses', 'tool_use', 'function_calls', 'function_call'])(
    'finds %s far inside',
    (key) => {
      expect(rawActionsIn({ a: [{ b: { [key]: [{ name: 'sow', args: {} }] } }] })).toEqual([call('sow', {})]);
      expect(rawActionsIn({ a: [{ b: { actions: [{ name: 'sow', args: {} }] } }] })).toEqual([]);
    },
  );

  it('finds the blocks of a message', () => {
    expect(
      read('{"content": [{"type": "thinking", "thinking": "a"}, {"type": "tool_use", "name": "sow", "input": {}}]}'),
    ).toEqual([call('sow', {})]);
    for (const type of ['text', 'output_text', 'thinking', 'reasoning']) {
      expect(
        rawActionsIn([
          { type, text: 'a' },
          { type: 'tool_use', name: 'sow', input: {} },
        ]),
      ).toEqual([call('sow', {})]);
      expect(rawActionsIn({ role: 'assistant', content: [{ type, text: 'a' }] })).toEqual([{ text: 'a' }]);
    }
  });

  it.each(['role', 'additional_kwargs', 'response_metadata', 'tool_calls'])('knows a message by %s', (key) => {
    expect(rawActionsIn({ [key]: [], content: 'two' })).toEqual([{ text: 'two' }]);
    expect(rawActionsIn({ [key]: [], content: ' ' })).toEqual([]);
  });

  it.each(['user', 'human', 'system', 'tool', 'function'])('leaves what the %s said', (role) => {
    expect(rawActionsIn({ role, content: 'two', tool_calls: [{ name: 'sow', args: {} }] })).toEqual([]);
    expect(read(`${role.charAt(0).toUpperCase()}${role.slice(1)}Message(content='two')`)).toEqual([]);
  });

  it('takes a list for calls only where all of it is', () => {
    expect(read('[{"name": "sow", "args": {}}, {"tool": "water", "row": 7}]')).toHaveLength(2);
    expect(read('[{"name": "sow", "args": {}}, {"row": 7}]')).toEqual([]);
    expect(read('{"actions": ["sow 3", "water 4"]}')).toEqual([{ text: 'sow 3' }, { text: 'water 4' }]);
    expect(read('["sow 3"]')).toEqual([]);
  });

  it('reads calls, and those that only print one', () => {
    expect(read('sow(7, deep=True)')).toEqual([call('sow', { 0: 7, deep: true })]);
    expect(read('sow({"row": 7})')).toEqual([call('sow', { row: 7 })]);
    expect(read('sow({"row": 7}, 3)')).toEqual([call('sow', { 0: { row: 7 }, 1: 3 })]);
    expect(read('Sow(row=7)')).toEqual([call('Sow', { row: 7 })]);
    expect(read("ToolCall(name='sow', arguments={'row': 7})")).toEqual([call('sow', { row: 7 })]);
    expect(read("sow(name='a', arguments={'row': 7})")).toEqual([call('sow', { name: 'a', arguments: { row: 7 } })]);
    expect(read("AIMessage(content='two')")).toEqual([{ text: 'two' }]);
    expect(read("{'a': [AIMessage(content='two')]}")).toEqual([{ text: 'two' }]);
    expect(read("{'a': [Bed(row=7)]}")).toEqual([]);
    expect(read("{'a': [bed(content=7)]}")).toEqual([]);
  });

  it.each(['tools/call', 'use_mcp_tool', 'invoke_function'])('looks through %s', (verb) => {
    expect(rawActionsIn({ method: verb, params: { name: 'sow', arguments: { row: 7 } } })).toEqual([
      call('sow', { row: 7 }),
    ]);
    expect(rawActionsIn({ tool: `${verb}_now`, args: { name: 'sow', arguments: {} } })).toEqual([
      call(`${verb}_now`, { name: 'sow', arguments: {} }),
    ]);
    expect(rawActionsIn({ tool: verb, args: { row: 7 } })).toEqual([call(verb, { row: 7 })]);
  });

  it.each(['action', 'next_action', 'act', 'tool_call', 'function_call', 'command'])('reads the text in %s', (key) => {
    expect(rawActionsIn({ thought: 'a', [key]: 'open the crate, 2' })).toEqual([{ text: 'open the crate, 2' }]);
    expect(rawActionsIn({ [key]: 'open the crate, 2', bed: 'a' })).toEqual([]);
  });

  it.each(['answer', 'response', 'reply', 'message', 'content', 'text'])(
    'reads the words in %s beside thoughts',
    (key) => {
      expect(rawActionsIn({ thought: 'a', [key]: 'It is two.' })).toEqual([{ text: 'It is two.', as: 'reply' }]);
      expect(rawActionsIn({ [key]: 'It is two.' })).toEqual([]);
    },
  );

  it('reads ends, thoughts, requests and edits without a verb', () => {
    expect(rawActionsIn({ final_answer: 'two' })).toEqual([{ text: 'two', as: 'finish' }]);
    expect(rawActionsIn({ thought: 'two', reasoning: { a: 1 } })).toEqual([{ text: 'two\n{"a":1}', as: 'think' }]);
    expect(rawActionsIn({ method: 'GET', url: '/beds' })).toEqual([call('request', { method: 'GET', url: '/beds' })]);
    expect(rawActionsIn({ path: 'a.py', old_str: 'a', new_str: 'b' })).toEqual([
      call('edit', { path: 'a.py', old_str: 'a', new_str: 'b' }),
    ]);
    expect(rawActionsIn({ action: 'Final Answer', action_input: 'two' })).toEqual([call('Final Answer', { 0: 'two' })]);
    expect(rawActionsIn({ tool: 'Final Answer', action_input: 'two' })).toEqual([]);
  });

  it.each([
    '{}',
    '[]',
    '{"label": "spam"}',
    '{"customer": {"name": "Ada"}}',
    '{"search": "leek"}',
    '3',
    'null',
    '[[]]',
    '{"role": "assistant"}',
    '{"role": "assistant", "content": null}',
    '{"a": [null, "b"]}',
    '{"search": {"q": 1}, "row": 2}',
  ])('takes %s for data', (text) => {
    expect(read(text)).toEqual([]);
  });

  it('keeps what says a call, without what stood around it', () => {
    const forms = (text: string) => read(text).map((raw) => ('form' in raw ? writeForm(raw.form) : ''));

    expect(forms('{"id": "1", "type": "function", "name": "sow", "arguments": {"row": 7}}')).toEqual([
      '{"name":"sow","arguments":{"row":7}}',
    ]);
    expect(forms('{"thought": "a", "tool": "sow", "row": 7, "call_id": "b"}')).toEqual(['{"tool":"sow","row":7}']);
    expect(forms('{"thought": "a", "search": {"row": 7}}')).toEqual(['{"search":{"row":7}}']);
    expect(forms('[sow(7, at=day(2), "b")]')).toEqual(['sow(7, "b", at=day(2))']);
  });

  it('ends where calls are held in calls without an end', () => {
    const nested = `${'{"tool_calls":'.repeat(150)}null${'}'.repeat(150)}`;

    expect(() => read(nested)).not.toThrow();
  });
});
