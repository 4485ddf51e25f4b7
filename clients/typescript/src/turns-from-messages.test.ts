import { adviceLines } from './test-kit/scripted-server.js';
import { turnsFromMessages } from './turns-from-messages.js';

const task = 'Restart the mail service';
const call = (name: string, args: object) => JSON.stringify({ name, arguments: args });

/** One conversation, as each provider spells it. */
const expected = [
  {
    turn: 1,
    inputs: task,
    decision: call('restart', { unit: 'mail' }),
    memory: 'I restart it.',
    result: 'unit mail not found',
  },
  { turn: 2, inputs: 'unit mail not found', decision: call('list', {}), result: 'postfix.service' },
  { turn: 3, inputs: 'unit mail not found', decision: call('status', { unit: 'mail*' }), result: 'Error: no match' },
  { turn: 4, inputs: 'postfix.service\nError: no match', decision: 'It is called postfix.' },
];

const conversations = {
  'OpenAI chat completions': [
    { role: 'system', content: 'You are an operator.' },
    { role: 'user', content: `${task}\n\n${adviceLines}` },
    {
      role: 'assistant',
      content: 'I restart it.',
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'restart', arguments: '{"unit":"mail"}' } }],
    },
    { role: 'tool', tool_call_id: 'a', content: 'unit mail not found' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'b', type: 'function', function: { name: 'list', arguments: '' } },
        { id: 'c', type: 'function', function: { name: 'status', arguments: '{"unit": "mail*"}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'b', content: [{ type: 'text', text: 'postfix.service' }] },
    { role: 'tool', tool_call_id: 'c', content: 'Error: no match' },
    { role: 'assistant', content: 'It is called postfix.' },
  ],
  'OpenAI responses': [
    { role: 'developer', content: 'You are an operator.' },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: `${task}\n\n${adviceLines}` }] },
    { type: 'reasoning', id: 'r', summary: [{ type: 'summary_text', text: 'I restart it.' }] },
    { type: 'function_call', id: 'x', call_id: 'a', name: 'restart', arguments: '{"unit":"mail"}' },
    { type: 'function_call_output', call_id: 'a', output: 'unit mail not found' },
    { type: 'function_call', call_id: 'b', name: 'list', arguments: '{}' },
    { type: 'function_call', call_id: 'c', name: 'status', arguments: '{"unit":"mail*"}' },
    { type: 'function_call_output', call_id: 'b', output: 'postfix.service' },
    { type: 'function_call_output', call_id: 'c', output: 'Error: no match' },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'It is called postfix.' }] },
  ],
  Anthropic: [
    { role: 'user', content: [{ type: 'text', text: `${task}\n\n${adviceLines}` }] },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'I restart it.' },
        { type: 'tool_use', id: 'a', name: 'restart', input: { unit: 'mail' } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'unit mail not found' }] },
    {
      role: 'assistant',
      content: [
        { type: 'tool_use', id: 'b', name: 'list', input: {} },
        { type: 'tool_use', id: 'c', name: 'status', input: { unit: 'mail*' } },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'b', content: [{ type: 'text', text: 'postfix.service' }] },
        { type: 'tool_result', tool_use_id: 'c', is_error: true, content: 'no match' },
      ],
    },
    { role: 'assistant', content: 'It is called postfix.' },
  ],
  'Vercel AI SDK': [
    { role: 'system', content: 'You are an operator.' },
    { role: 'user', content: [{ type: 'text', text: `${task}\n\n${adviceLines}` }] },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I restart it.' },
        { type: 'tool-call', toolCallId: 'a', toolName: 'restart', input: { unit: 'mail' } },
      ],
    },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'a', output: { type: 'text', value: 'unit mail not found' } }],
    },
    {
      role: 'assistant',
      content: [
        { type: 'tool-call', toolCallId: 'b', toolName: 'list', input: {} },
        { type: 'tool-call', toolCallId: 'c', toolName: 'status', input: '{"unit":"mail*"}' },
      ],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'b',
          output: { type: 'content', value: [{ type: 'text', text: 'postfix.service' }] },
        },
        { type: 'tool-result', toolCallId: 'c', output: { type: 'error-text', value: 'no match' } },
      ],
    },
    { role: 'assistant', content: [{ type: 'text', text: 'It is called postfix.' }] },
  ],
};

describe('turnsFromMessages', () => {
  it.each(Object.entries(conversations))('reads %s', (_, messages) => {
    expect(turnsFromMessages(messages)).toEqual(expected);
  });

  it('takes the next message for the result of an action in words', () => {
    const messages = [
      { role: 'user', content: task },
      { role: 'assistant', content: 'systemctl restart mail' },
      { role: 'user', content: 'Unit mail.service not found.' },
      { role: 'assistant', content: 'systemctl restart postfix' },
    ];

    expect(turnsFromMessages(messages)).toEqual([
      { turn: 1, inputs: task, decision: 'systemctl restart mail', result: 'Unit mail.service not found.' },
      { turn: 2, inputs: 'Unit mail.service not found.', decision: 'systemctl restart postfix' },
    ]);
  });

  it('reads calls that a provider makes itself, with what came of them', () => {
    const messages = [
      { role: 'user', content: task },
      { type: 'mcp_call', id: 'm', name: 'restart', arguments: '{}', output: 'done' },
      { type: 'local_shell_call', call_id: 's', action: { command: ['ls'] } },
      { type: 'local_shell_call_output', call_id: 's', output: 'a.txt' },
    ];

    expect(turnsFromMessages(messages)).toMatchObject([
      { decision: call('restart', {}), result: 'done' },
      { decision: call('local_shell', { command: ['ls'] }), result: 'a.txt' },
    ]);
  });

  it('reads the form that functions had before tools', () => {
    const messages = [
      { role: 'user', content: task },
      { role: 'assistant', content: null, function_call: { name: 'restart', arguments: '{"unit":"mail"}' } },
      { role: 'function', name: 'restart', content: 'done' },
    ];

    expect(turnsFromMessages(messages)).toEqual([
      { turn: 1, inputs: task, decision: call('restart', { unit: 'mail' }), result: 'done' },
    ]);
  });

  it('skips what it does not know', () => {
    const odd = [
      {},
      { role: 'critic', content: 'hm' },
      { type: 'item_reference', id: '1' },
      { role: 'user', content: null },
    ];

    expect(turnsFromMessages(odd)).toEqual([]);
  });
});
