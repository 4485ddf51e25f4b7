import { readActions } from './read-actions.js';

const plain = { usesShell: false, givesOrders: false };
const shell = { ...plain, usesShell: true };
const orders = { ...plain, givesOrders: true };

describe('readActions', () => {
  it.each([
    ['ls -la /srv', 'shell', 'ls', 'ls -la /srv'],
    ['execute[grep -r todo src]', 'shell', 'grep', 'grep -r todo src'],
    ['Thought: I should look.\nAction: execute[ls /srv]', 'shell', 'ls', 'ls /srv'],
    ['```bash\ndf -h\n```', 'shell', 'df', 'df -h'],
    ['#!/bin/bash\n# how much is free\ndf -h', 'shell', 'df', '#!/bin/bash\n# how much is free\ndf -h'],
    ['$ uptime -p', 'shell', 'uptime', 'uptime -p'],
    ['gh pr list --json title', 'shell', 'gh', 'gh pr list --json title'],
    ['Get-ChildItem beds', 'shell', 'Get-ChildItem', 'Get-ChildItem beds'],
    ['mycli --verbose run', 'shell', 'mycli', 'mycli --verbose run'],
    ['SELECT count(*) FROM users', 'sql', 'select', 'SELECT count(*) FROM users'],
    ['```sql\nUPDATE users SET name = 1\n```', 'sql', 'update', 'UPDATE users SET name = 1'],
    ['```python\nprint(1)\n```', 'code', 'python', 'print(1)'],
    ['get_user({"id": 7})', 'tool', 'get_user', 'get_user({"id": 7})'],
    ['get_user(id=7, full=True)', 'tool', 'get_user', 'get_user(id=7, full=True)'],
    ['Action: search_docs\nAction Input: {"q": "vpn"}', 'tool', 'search_docs', 'search_docs({"q": "vpn"})'],
    ['{"name": "get_user", "arguments": {"id": 7}}', 'tool', 'get_user', 'get_user({"id":7})'],
    ['<tool_call>{"name": "get_user", "arguments": {"id": 7}}</tool_call>', 'tool', 'get_user', 'get_user({"id":7})'],
    ['<think>First the list.</think>\nget_user({"id": 7})', 'tool', 'get_user', 'get_user({"id": 7})'],
    ['<think>Nothing to do.</think>\nIt is done.', 'reply', 'reply', 'It is done.'],
    ['<think>Nothing yet.</think>', 'think', 'think', '<think>Nothing yet.</think>'],
    ['Let me look.\n<execute_bash>\nls -l src\n</execute_bash>', 'shell', 'ls', 'ls -l src'],
    ['<execute_ipython>print(1)</execute_ipython>', 'code', 'python', 'print(1)'],
    ['<function=bash><parameter=command>ls -l</parameter></function>', 'shell', 'ls', 'ls -l'],
    ['<invoke name="get_user"><parameter name="id">7</parameter></invoke>', 'tool', 'get_user', 'get_user({"id":"7"})'],
    ['Action: grep -c todo a.txt\nObservation: 12\nThought: good', 'shell', 'grep', 'grep -c todo a.txt'],
    [
      'Action: search_docs\nAction Input: {"q": "vpn"}\nObservation: none',
      'tool',
      'search_docs',
      'search_docs({"q": "vpn"})',
    ],
    ['respond({"content": "It is done."})', 'reply', 'reply', 'It is done.'],
    ['send_message_to_user({"message": "Which one?"})', 'reply', 'reply', 'Which one?'],
    ['bash({"command": "echo \'hi\'"})', 'shell', 'echo', "echo 'hi'"],
    ['think({"thought": "hm"})', 'think', 'think', 'think({"thought": "hm"})'],
    ['click [12]', 'browser', 'click', 'click [12]'],
    ["page.fill('#q', 'tea')", 'browser', 'fill', "page.fill('#q', 'tea')"],
    ['search[green tea]', 'browser', 'search', 'search[green tea]'],
    ['submit', 'finish', 'finish', 'submit'],
    ['finish[42]', 'finish', 'finish', 'finish[42]'],
    ['I have booked it for you (no charge).', 'reply', 'reply', 'I have booked it for you (no charge).'],
    ['Select the item you like from the list.', 'reply', 'reply', 'Select the item you like from the list.'],
    ['yes', 'reply', 'reply', 'yes'],
    ['yes please', 'reply', 'reply', 'yes please'],
    ['free', 'reply', 'reply', 'free'],
    ['find the user that you mean and tell me', 'reply', 'reply', 'find the user that you mean and tell me'],
  ])('reads %j as %s', (decision, kind, name, text) => {
    expect(readActions(decision, plain)).toEqual([expect.objectContaining({ kind, name, text })]);
  });

  it('takes off the quotes around a value, and none that belong to it', () => {
    const args = (decision: string) => readActions(decision, plain)[0]?.args;

    expect(args(`find_shop(name="Ada's", town='Bath')`)).toEqual({ name: "Ada's", town: 'Bath' });
    expect(args(`find_shop({"name": "'t Hoekje"})`)).toEqual({ name: "'t Hoekje" });
  });

  it('reads every call of a decision that makes several', () => {
    const call = (name: string) => ({ type: 'function', function: { name, arguments: '{"a": 1}' } });
    const decision = JSON.stringify({ tool_calls: [call('first'), call('second')] });

    expect(readActions(decision, plain).map(({ name, args }) => [name, args])).toEqual([
      ['first', { a: '1' }],
      ['second', { a: '1' }],
    ]);
  });

  it('reads every call between tags', () => {
    const call = (name: string) => `<tool_call>\n{"name": "${name}", "arguments": {}}\n</tool_call>`;

    expect(readActions(`${call('first')}\n${call('second')}`, plain).map(({ name }) => name)).toEqual([
      'first',
      'second',
    ]);
  });

  it('reads at most eight calls, however they are nested', () => {
    const call = { name: 'look_up', arguments: {} };
    const decision = JSON.stringify(Array(8).fill(Array(8).fill([call, call])));

    expect(readActions(decision, plain)).toHaveLength(8);
  });

  it('takes words that could be a command for one where the agent works in a shell', () => {
    expect(readActions('find src test docs', shell)[0]?.kind).toBe('shell');
    expect(readActions('free', shell)[0]?.kind).toBe('shell');
    expect(readActions('find src test docs', plain)[0]?.kind).toBe('reply');
  });

  it('takes a few words for an order where the agent acts by orders', () => {
    expect(readActions('> put mug 1 in cupboard 2', orders)).toEqual([
      expect.objectContaining({ kind: 'order', name: 'put', text: 'put mug 1 in cupboard 2' }),
    ]);
    expect(readActions('put mug 1 in cupboard 2', plain)[0]?.kind).toBe('reply');
    expect(readActions('I have put the mug away.', orders)[0]?.kind).toBe('reply');
    expect(readActions('think: the mug may be in the cupboard', orders)[0]?.kind).toBe('think');
  });

  it('remembers how the action was wrapped', () => {
    expect(readActions('```\nls -l\n```', shell)[0]?.wrapping).toBe('fence');
    expect(readActions('`ls -l`', shell)[0]?.wrapping).toBe('backticks');
    expect(readActions('Here it is:\n```bash\nls -l\n```\nIt lists.', shell)[0]?.wrapping).toBe('prose');
  });
});
