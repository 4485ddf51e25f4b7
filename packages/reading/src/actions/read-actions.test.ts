import type { Action } from './action.js';
import { readActions, readExample, readingContext } from './read-actions.js';

type Row = [decision: string, ...expected: Partial<Action>[]];

const call = (verb: string, args: Action['args'], more: Partial<Action> = {}): Partial<Action> => ({
  kind: 'call',
  verb,
  args: args ?? {},
  ...more,
});
const command = (text: string, verb = text.split(' ')[0] ?? ''): Partial<Action> => ({ kind: 'command', verb, text });
const plainReply = (text: string): Action => ({ kind: 'reply', verb: 'reply', text });
const reply = (text: string): Partial<Action> => ({ kind: 'reply', verb: 'reply', text });

function expectActions(actions: Action[], expected: Partial<Action>[]): void {
  expect(actions).toEqual(expected.map((action) => expect.objectContaining(action)));
}

describe('readActions', () => {
  it.each<Row>([
    // Calls as values of JSON.
    ['{"name": "find_bed", "arguments": {"row": 7}}', call('find_bed', { row: 7 })],
    ['{"name": "find_bed", "arguments": "{\\"row\\": 7}"}', call('find_bed', { row: 7 })],
    ['{"name": "list_beds", "arguments": {}}', call('list_beds', {})],
    ['{"tool": "find_bed", "input": {"row": 7}}', call('find_bed', { row: 7 })],
    ['{"tool_name": "find_bed", "kwargs": {"row": 7}}', call('find_bed', { row: 7 })],
    ['{"function": "find_bed", "parameters": {"row": 7}}', call('find_bed', { row: 7 })],
    ['{"op": "move", "args": ["a", "b"]}', call('move', { 0: 'a', 1: 'b' })],
    ['{"tool": "find_bed", "args": "north wall"}', call('find_bed', { 0: 'north wall' })],
    ['{"tool": "find_bed", "args": {"row": 7}, "site": "south"}', call('find_bed', { row: 7, site: 'south' })],
    ['{"action": "find_bed", "action_input": "north wall"}', call('find_bed', { 0: 'north wall' })],
    [
      '{"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "find_bed", "arguments": "{\\"row\\": 7}"}}, {"id": "call_2", "type": "function", "function": {"name": "water", "arguments": "{}"}}]}',
      call('find_bed', { row: 7 }, { text: '{"name":"find_bed","arguments":"{\\"row\\": 7}"}' }),
      call('water', {}),
    ],
    [
      '{"type": "tool_use", "id": "toolu_1", "name": "find_bed", "input": {"row": 7}}',
      call('find_bed', { row: 7 }, { text: '{"name":"find_bed","input":{"row":7}}' }),
    ],
    [
      '[{"type": "text", "text": "I look it up."}, {"type": "tool_use", "id": "t", "name": "find_bed", "input": {"row": 7}}]',
      call('find_bed', { row: 7 }),
    ],
    ['{"function_call": {"name": "find_bed", "arguments": "{\\"row\\": 7}"}}', call('find_bed', { row: 7 })],
    ['{"action_type": "click", "index": 3, "button": "left"}', call('click', { index: 3, button: 'left' })],
    ['{"action": "goto", "url": "https://a.example/"}', call('goto', { url: 'https://a.example/' })],
    ['{"action": "delete_bed", "id": 7}', call('delete_bed', { id: 7 })],
    ['{"action": {"type": "click", "x": 3, "y": 4}}', call('click', { x: 3, y: 4 })],
    ['{"type": "click", "x": 3, "y": 4}', call('click', { x: 3, y: 4 })],
    [
      '{"thought": "The row is free.", "action": "plant", "seed": "leek"}',
      call('plant', { seed: 'leek' }, { text: '{"action":"plant","seed":"leek"}' }),
    ],
    ['{"action": "change", "plan": "gold"}', call('change', { plan: 'gold' })],
    ['{"plan": "First see what is there.", "action": "look", "at": "bed"}', call('look', { at: 'bed' })],
    [
      '{"current_state": {"next_goal": "Open the shop."}, "action": [{"click_element": {"index": 3}}, {"input_text": {"index": 4, "text": "leek"}}]}',
      call('click_element', { index: 3 }, { text: '{"click_element":{"index":3}}' }),
      call('input_text', { index: 4, text: 'leek' }),
    ],
    [
      '{"thoughts": {"text": "Look."}, "command": {"name": "browse", "args": {"page": 2}}}',
      call('browse', { page: 2 }),
    ],
    ['{"search": {"q": "leek"}}', call('search', { q: 'leek' }, { text: '{"search": {"q": "leek"}}' })],
    [
      '{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "find_bed", "arguments": {"row": 7}}}',
      call('find_bed', { row: 7 }),
    ],
    [
      '{"tool_uses": [{"recipient_name": "functions.find_bed", "parameters": {"row": 7}}]}',
      call('find_bed', { row: 7 }),
    ],
    ['{"action": "find_bed(row=7)"}', call('find_bed', { row: 7 }, { text: 'find_bed(row=7)' })],
    [
      '{"name": "find_bed", "arguments": {"row": 1}}\n{"name": "water", "arguments": {}}',
      call('find_bed', { row: 1 }),
      call('water', {}),
    ],
    ['{"name": "find_bed", "arguments": {"row": 7, "note": "near the', call('find_bed', { row: 7, note: 'near the' })],

    // Calls as Python and JavaScript write and print them.
    ['find_bed(row=7, free=True)', call('find_bed', { row: 7, free: true }, { text: 'find_bed(row=7, free=True)' })],
    ['find_bed({"row": 7})', call('find_bed', { row: 7 })],
    ['browser.click(12)', call('browser.click', { 0: 12 })],
    ['await page.goto("https://a.example/b")', call('page.goto', { 0: 'https://a.example/b' })],
    ["fill('12', 'two leeks')", call('fill', { 0: '12', 1: 'two leeks' })],
    ['book(day=datetime(2031, 5, 2))', call('book', { day: { call: 'datetime', args: { 0: 2031, 1: 5, 2: 2 } } })],
    [
      '[find_bed(row=7), water(bed="a")]',
      call('find_bed', { row: 7 }),
      call('water', { bed: 'a' }, { text: 'water(bed="a")' }),
    ],
    ['click(3)\nfill(4, "leek")', call('click', { 0: 3 }), call('fill', { 0: 4, 1: 'leek' })],
    [
      "[ToolCall(name='find_bed', arguments={'row': 7}, id='call_1')]",
      call('find_bed', { row: 7 }, { text: '{"name":"find_bed","arguments":{"row":7}}' }),
    ],
    [
      "ChatCompletionMessageToolCall(id='c', function=Function(arguments='{\"row\": 7}', name='find_bed'), type='function')",
      call('find_bed', { row: 7 }),
    ],
    [
      "AIMessage(content='', additional_kwargs={'tool_calls': [{'id': 'a', 'function': {'arguments': '{\"row\": 7}', 'name': 'find_bed'}, 'type': 'function'}]}, tool_calls=[{'name': 'find_bed', 'args': {'row': 7}, 'id': 'a', 'type': 'tool_call'}])",
      call('find_bed', { row: 7 }),
    ],
    [
      "content='' additional_kwargs={'tool_calls': [{'id': 'a', 'function': {'arguments': '{\"row\": 7}', 'name': 'find_bed'}, 'type': 'function'}]} response_metadata={}",
      call('find_bed', { row: 7 }),
    ],
    [
      "{'agent': {'messages': [AIMessage(content='', tool_calls=[{'name': 'find_bed', 'args': {'row': 7}, 'id': 'a'}])]}}",
      call('find_bed', { row: 7 }),
    ],
    ["tool='find_bed' tool_input={'row': 7} log='Looking.'", call('find_bed', { row: 7, log: 'Looking.' })],
    ["AIMessage(content='Row seven is free.', response_metadata={})", reply('Row seven is free.')],
    ["{'messages': [HumanMessage(content='Which?'), AIMessage(content='Row seven.')]}", reply('Row seven.')],
    ['{"role": "assistant", "content": "Row seven is free."}', reply('Row seven is free.')],

    // Labels and tags.
    ['Thought: I look first.\nAction: find_bed[north wall]', call('find_bed', { 0: 'north wall' })],
    ['Thought: I look first. Action: Search[north wall]', call('Search', { 0: 'north wall' })],
    [
      'Thought: I look first.\nAction: find_bed\nAction Input: {"row": 7}\nObservation: it is free',
      call('find_bed', { row: 7 }, { text: 'Action: find_bed\nAction Input: {"row": 7}' }),
    ],
    ['Action: find_bed\nObservation: {"row": 7}', reply('Action: find_bed\nObservation: {"row": 7}')],
    ['Action: find_bed(row=7)\nObservation: free\nAction: water()', call('find_bed', { row: 7 })],
    ['Action: bash\nAction Input: ls -la beds', command('ls -la beds')],
    [
      'Thought: two are left.\nFinal Answer: 2',
      { kind: 'finish', verb: 'finish', args: { answer: '2' }, text: 'Final Answer: 2' },
    ],
    ['Thought: nothing is left to look at.', { kind: 'think', text: 'nothing is left to look at.' }],
    ['Command: tar -xzf beds.tgz', command('tar -xzf beds.tgz')],
    ['I count them now.\nSQL: SELECT count(*) FROM beds', { kind: 'sql', verb: 'select', object: 'beds' }],
    ['<tool_call>\n{"name": "find_bed", "arguments": {"row": 7}}\n</tool_call>', call('find_bed', { row: 7 })],
    [
      'I look.\n<tool_call>{"name": "find_bed", "arguments": {}}</tool_call>\n<tool_call>{"name": "water", "arguments": {}}</tool_call>',
      call('find_bed', {}),
      call('water', {}),
    ],
    [
      '<function=find_bed>\n<parameter=row>7</parameter>\n<parameter=site>south</parameter>\n</function>',
      call('find_bed', { row: '7', site: 'south' }, { text: 'find_bed({"row":"7","site":"south"})' }),
    ],
    [
      '<function_calls><invoke name="find_bed"><parameter name="rows">[7, 8]</parameter></invoke></function_calls>',
      call('find_bed', { rows: [7, 8] }),
    ],
    ['<read_file>\n<path>beds.csv</path>\n</read_file>', call('read_file', { path: 'beds.csv' })],
    ['<execute_bash>\nls -l beds\n</execute_bash>', command('ls -l beds')],
    ['Let me see.\n<bash>ls -l beds', command('ls -l beds')],
    ['<execute>ls -l beds</execute>', command('ls -l beds')],
    ['<execute_ipython>\nprint(1)\n</execute_ipython>', { kind: 'code', verb: 'python', text: 'print(1)' }],
    ['<function=execute_bash><parameter=command>ls -l</parameter></function>', command('ls -l')],
    ['<think>Which one?</think>\n<action>open crate 2</action>', call('open', { 0: 'crate', 1: '2' })],
    ['<action>{"name": "find_bed", "arguments": {}}</action>', call('find_bed', {})],
    ['<action type="click" index="3"/>', call('click', { index: '3' })],
    ['<think>Two.</think><answer>2</answer>', { kind: 'finish', args: { answer: '2' }, text: '2' }],
    ['Two, I think.</think>\nls -l beds', command('ls -l beds')],
    ['<think>Which one is it?</think>', { kind: 'think', text: 'Which one is it?' }],
    ['<think>Which one?</think>\nIt is the second one.', reply('It is the second one.')],
    ['[TOOL_CALLS] [{"name": "find_bed", "arguments": {"row": 7}}]', call('find_bed', { row: 7 })],
    ['I look it up for you.\n\n{"name": "find_bed", "arguments": {"row": 7}}', call('find_bed', { row: 7 })],
    ['I look it up for you.\nfind_bed(row=7)\nOne moment.', call('find_bed', { row: 7 }, { text: 'find_bed(row=7)' })],

    // What calls execute.
    ['bash({"command": "ls -la", "timeout": 10})', command('ls -la')],
    ['execute_bash(cmd="frobnicate north")', command('frobnicate north')],
    ['{"tool": "bash", "args": {"command": "ls -la", "description": "Lists files"}}', command('ls -la')],
    ['{"thought": "See what is there.", "command": "ls -la"}', command('ls -la')],
    ['{"command": ["bash", "-lc", "ls -la | wc -l"]}', command('ls -la | wc -l')],
    ['shell({"command": ["git", "commit", "-m", "Two beds"]})', command("git commit -m 'Two beds'")],
    ['execute[grep -c leek beds.csv]', command('grep -c leek beds.csv')],
    ['os.system("rm -r beds")', command('rm -r beds')],
    ["CmdRunAction(command='ls -la', thought='')", command('ls -la')],
    [
      'run_sql(query="SELECT name FROM beds")',
      { kind: 'sql', verb: 'select', object: 'beds', text: 'SELECT name FROM beds' },
    ],
    ['{"query": "SELECT name FROM beds"}', { kind: 'sql', verb: 'select', text: 'SELECT name FROM beds' }],
    ['python(code="total = 1 + 2")', { kind: 'code', verb: 'python', text: 'total = 1 + 2' }],
    ['{"tool": "code_interpreter", "input": "import csv\\nrows = 3"}', { kind: 'code', text: 'import csv\nrows = 3' }],
    ['search(query="leeks that stand the cold")', call('search', { query: 'leeks that stand the cold' })],
    ['valve(command="on", device="pump")', call('valve', { command: 'on', device: 'pump' })],

    // Requests.
    ['POST /orders\n{"item": 3}', { kind: 'http', verb: 'POST', object: '/orders', args: { body: { item: 3 } } }],
    ['DELETE /orders/17', { kind: 'http', verb: 'DELETE', object: '/orders/17', text: 'DELETE /orders/17' }],
    [
      'GET https://api.example/orders?open=1 HTTP/1.1\nAccept: text/plain\n\n',
      { kind: 'http', verb: 'GET', object: '/orders', args: { host: 'api.example', query: { open: '1' } } },
    ],
    [
      '{"method": "post", "url": "/orders", "json": {"item": 3}}',
      { kind: 'http', verb: 'POST', object: '/orders', args: { body: { item: 3 } } },
    ],
    [
      'client.patch("/orders/17", {"item": 4})',
      { kind: 'http', verb: 'PATCH', object: '/orders/17', args: { body: { item: 4 } } },
    ],

    // Edits.
    [
      'str_replace_editor(command="str_replace", path="/src/a.py", old_str="a", new_str="b")',
      { kind: 'edit', verb: 'edit', object: '/src/a.py', args: { command: 'str_replace', old_str: 'a', new_str: 'b' } },
    ],
    [
      'str_replace_editor(command="view", path="/src/a.py")',
      call('str_replace_editor', { command: 'view', path: '/src/a.py' }),
    ],
    [
      '{"tool": "write_file", "args": {"path": "a.txt", "content": "two"}}',
      { kind: 'edit', object: 'a.txt', args: { content: 'two' } },
    ],
    ['--- a/src/a.py\n+++ b/src/a.py\n@@ -1 +1 @@\n-a\n+b', { kind: 'edit', verb: 'edit', object: 'src/a.py' }],
    [
      '```diff\n--- a/src/a.py\n+++ b/src/a.py\n@@ -1 +1 @@\n-a\n+b\n```',
      { kind: 'edit', verb: 'edit', object: 'src/a.py', text: '--- a/src/a.py\n+++ b/src/a.py\n@@ -1 +1 @@\n-a\n+b' },
    ],
    [
      '*** Begin Patch\n*** Update File: src/a.py\n-a\n+b\n*** End Patch',
      { kind: 'edit', object: 'src/a.py', args: { change: '*** Update File: src/a.py\n-a\n+b' } },
    ],
    [
      "apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: src/a.py\n*** End Patch\nEOF",
      { kind: 'edit', verb: 'delete', object: 'src/a.py' },
    ],
    [
      'I change it.\n\nsrc/a.py\n```python\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n```',
      { kind: 'edit', object: 'src/a.py', args: { search: 'a', replace: 'b' } },
    ],
    ["sed -i 's/a/b/' src/a.py", command("sed -i 's/a/b/' src/a.py")],

    // Fences, prompts, back-ticks.
    ['```bash\nls -la\n```', command('ls -la')],
    ['```bash ls -la beds```', command('ls -la beds')],
    ['I look first.\n```sh\nls -la\n```\nThen I go on.', command('ls -la')],
    ['```\nls -la\n```', command('ls -la')],
    ['```sql\nUPDATE beds SET place = 1\n```', { kind: 'sql', verb: 'update', object: 'beds' }],
    ['```python\nrow.sow("leek")\n```', { kind: 'code', verb: 'python', text: 'row.sow("leek")' }],
    ['```js\nrow.sow("leek")\n```', { kind: 'code', verb: 'javascript' }],
    ['```json\n{"name": "find_bed", "arguments": {"row": 7}}\n```', call('find_bed', { row: 7 })],
    ['```console\n$ ls -la\ntotal 3\n$ pwd\n```', command('ls -la\npwd', 'ls')],
    ['$ uptime', command('uptime')],
    ['`ls -la`', command('ls -la')],
    ['>>> total = 3', { kind: 'code', verb: 'python', text: 'total = 3' }],
    ['"ls -la"', command('ls -la')],
    [
      "cat > README.md <<'EOF'\n# Beds\n```bash\nnpm test\n```\nEOF",
      command("cat > README.md <<'EOF'\n# Beds\n```bash\nnpm test\n```\nEOF", 'cat'),
    ],

    // Commands, statements, code.
    ['find /srv -name "*.csv" | wc -l', command('find /srv -name "*.csv" | wc -l')],
    ['shopctl refund 12 --force', command('shopctl refund 12 --force')],
    ['SELECT name FROM beds WHERE row = 7;', { kind: 'sql', verb: 'select', object: 'beds' }],
    ['import csv\n\nwith open("beds.csv") as file:\n    print(file.read())', { kind: 'code', verb: 'python' }],
    ['print(len(beds))', { kind: 'code', verb: 'python' }],
    ['beds.groupby("row").sum()', { kind: 'code', verb: 'python' }],
    ['const beds = await load();\nconsole.log(beds);', { kind: 'code', verb: 'javascript' }],

    // Orders in bare words.
    ['go to shelf 1', call('go', { 0: 'to', 1: 'shelf', 2: '1' })],
    ['open crate 2', call('open', { 0: 'crate', 1: '2' })],
    ['put leek in crate', call('put', { 0: 'leek', 1: 'in', 2: 'crate' })],
    ['click [12]', call('click', { 0: '12' }, { text: 'click [12]' })],
    ['type [3] [hello] [1]', call('type', { 0: '3', 1: 'hello', 2: '1' })],
    ['search[green tea]', call('search', { 0: 'green tea' })],
    ['search[tea\nand milk]', call('search', { 0: 'tea\nand milk' })],
    ['> take leek 1 from crate 2', call('take', { 0: 'leek', 1: '1', 2: 'from', 3: 'crate', 4: '2' })],
    ['open crate 2\ntake leek 1', call('open', { 0: 'crate', 1: '2' }), call('take', { 0: 'leek', 1: '1' })],

    // Ends, thoughts, words to people.
    ['finish(answer="two")', { kind: 'finish', verb: 'finish', args: { answer: 'two' } }],
    ['Finish[two]', { kind: 'finish', args: { answer: 'two' } }],
    ['final_answer("two")', { kind: 'finish', args: { answer: 'two' } }],
    ['{"action": "Final Answer", "action_input": "two"}', { kind: 'finish', args: { answer: 'two' } }],
    [
      '{"action": [{"done": {"text": "two", "success": true}}]}',
      { kind: 'finish', args: { text: 'two', success: true, answer: 'two' } },
    ],
    ['submit', { kind: 'finish', text: 'submit' }],
    ['TASK_COMPLETE', { kind: 'finish' }],
    ['complete_task(task_id=4)', call('complete_task', { task_id: 4 })],
    ['think({"thought": "Two are left."})', { kind: 'think', text: 'Two are left.' }],
    ['{"thought": "Two are left."}', { kind: 'think', text: 'Two are left.' }],
    ['respond({"content": "It is done."})', reply('It is done.')],
    ['send_msg_to_user("Which one?")', reply('Which one?')],
    ['{"thought": "Two.", "response": "Two are left."}', reply('Two are left.')],
    ['send_message(channel="ops", text="Done.")', call('send_message', { channel: 'ops', text: 'Done.' })],

    // Answers and talk.
    ['{"label": "spam", "score": 0.9}', reply('{"label": "spam", "score": 0.9}')],
    ['{"name": "Ada", "input": "two leeks", "row": 3}', reply('{"name": "Ada", "input": "two leeks", "row": 3}')],
    ['{"customer": {"name": "Ada"}}', reply('{"customer": {"name": "Ada"}}')],
    ['{"type": "leek", "count": 3}', reply('{"type": "leek", "count": 3}')],
    ['[{"name": "Ada", "age": 3}]', reply('[{"name": "Ada", "age": 3}]')],
    ['42', reply('42')],
    ['spam', reply('spam')],
    ['not spam', reply('not spam')],
    ['yes please', reply('yes please')],
    ['I have booked it for you (no charge).', reply('I have booked it for you (no charge).')],
    ['Select the bed you like from the list.', reply('Select the bed you like from the list.')],
    ['find the bed that you mean and tell me', reply('find the bed that you mean and tell me')],
    ['Das Beet ist frei, wir haben es für Sie gebucht.', reply('Das Beet ist frei, wir haben es für Sie gebucht.')],
    ['それは利用できません。', reply('それは利用できません。')],
    ['¿Qué cama desea reservar?', reply('¿Qué cama desea reservar?')],
    ['See Note [1]', reply('See Note [1]')],
    ['Run `ls -la` to see it.', reply('Run `ls -la` to see it.')],
    ['Here is the plan:\n1. Sow.\n2. Water.', reply('Here is the plan:\n1. Sow.\n2. Water.')],
    ['The result is:\n```\nfree: two beds\n```', reply('The result is:\n```\nfree: two beds\n```')],
  ])('reads %j', (decision, ...expected) => {
    expectActions(readActions(decision), expected);
  });
});

describe('readActions on fences', () => {
  const fenced = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``;

  it.each(['bash', 'sh', 'shell', 'zsh', 'console', 'terminal', 'powershell'])('runs %s', (language) => {
    expectActions(readActions(fenced(language, 'frobnicate')), [command('frobnicate')]);
  });

  it.each(
    'text txt plaintext markdown md json yaml yml toml xml html css csv http diff patch tool_code tool_call output'.split(
      ' ',
    ),
  )('looks at what %s holds', (language) => {
    expectActions(readActions(fenced(language, 'find_bed(row=7)')), [call('find_bed', { row: 7 })]);
    expectActions(readActions(fenced(language, 'Row seven.')), [reply(fenced(language, 'Row seven.'))]);
  });

  it.each(['sql', 'postgresql', 'mysql'])('reads %s as statements', (language) => {
    expectActions(readActions(fenced(language, 'frobnicate beds')), [{ kind: 'sql', verb: 'frobnicate' }]);
  });

  it.each(['python', 'rust', 'go'])('takes %s for code', (language) => {
    expectActions(readActions(fenced(language, 'x = find_bed(row=7)')), [{ kind: 'code', verb: language }]);
    expectActions(readActions(fenced(language, 'find_bed(row=7)')), [call('find_bed', { row: 7 })]);
  });
});

describe('readActions on what is hard to tell', () => {
  const shell = { usesShell: true };

  it.each([
    'kubectl rollout restart deployment billing',
    'shopctl refund 12',
    'frobnicate',
    'for bed in *; do sow "$bed" done',
    'tar -cf - beds | split - part.',
    'which c++',
    'which python',
  ])('takes %j for a command where the agent works in a shell', (text) => {
    expectActions(readActions(text, shell), [{ kind: 'command', text }]);
  });

  it.each([
    'The command went through without an error.',
    'I have finished the task',
    'which bed would you like',
    'Das Kommando ist fertig.',
    'Please run it again: ls -la',
  ])('takes %j for words there too', (text) => {
    expectActions(readActions(text, shell), [reply(text)]);
  });

  it('says that it knows nothing of what is too long or too deep', () => {
    const unknown = [expect.objectContaining({ kind: 'code', verb: 'unreadable' })];

    expect(readActions('[{"a":'.repeat(1_000))).toEqual(unknown);
    expect(readActions(`{"name": "sow", "arguments": ${'['.repeat(300)}${']'.repeat(300)}}`)).toEqual(unknown);
    expect(readActions('word '.repeat(250_000))).toEqual(unknown);
    expect(readActions('ls | '.repeat(30_000))).toEqual(unknown);
    expect(readActions(`${'Action: '.repeat(20)}rm -r beds`)).toEqual(unknown);
  });

  it('tells of many actions the first, and that there are more', () => {
    const actions = readActions(Array(300).fill('sow(1)').join('\n'));

    expect(actions).toHaveLength(201);
    expect(actions.at(-1)).toEqual(expect.objectContaining({ kind: 'code', verb: 'unreadable' }));
    expect(readActions('POST /beds\n'.repeat(300))).toHaveLength(201);
    expect(readActions('Action: sow(1)\n'.repeat(300))).toHaveLength(201);
  });

  it('reads nothing in nothing', () => {
    expect(readActions(' \n\t')).toEqual([]);
    expect(readActions('<|end|>')).toEqual([plainReply('<|end|>')]);
  });

  it('handles hostile input in time', () => {
    const started = process.cpuUsage().user;
    for (const part of [
      ...['[', '{', '(', 'f(', '{"a":', '"', "'", '`', '```\n', '~~~a\n', '<a>', '<a b="', '<tool_call>', '</think>'],
      ...[
        '<think>',
        'Action: a\n',
        'Thought: a Action: b ',
        'GET /a\n',
        '--- a\n+++ b\n',
        '<<<<<<< SEARCH\n',
        '$ ls\n',
      ],
      ...['*** Begin Patch\n', 'a=1 ', 'a[', 'a\n', '{\n', 'f(\n', 'go to ', '\\', '\0', '<|a|>'],
    ]) {
      readActions(part.repeat(100_000 / part.length));
      readExample(part.repeat(10_000 / part.length));
    }
    // Time of the processor and not of the clock: a busy machine is not a failure.
    expect(process.cpuUsage().user - started).toBeLessThan(20_000_000);
  });
});

describe('readingContext', () => {
  it.each([
    'bash',
    'shell',
    'sh',
    'terminal',
    'cli',
    'sre',
    'devops',
    'ops',
    'sysadmin',
    'linux',
    'bash_agent',
    'my-SRE',
  ])('believes the type %s', (type) => {
    expect(readingContext([], type)).toEqual({ usesShell: true });
  });

  it('counts decisions', () => {
    expect(readingContext(['ls -la', '', 'df -h', 'It is done.'], 'helper')).toMatchObject({ usesShell: true });
    expect(readingContext(['ls -la', 'It is done.'])).toMatchObject({ usesShell: false });
    expect(readingContext(['open crate 2'])).toMatchObject({ usesShell: false });
    expect(readingContext([], 'shop')).toMatchObject({ usesShell: false });
  });

  it.each([
    ['a command', ['ship reserve P-1 --now', 'ship label P-1', 'ship confirm P-1']],
    ['another decision', ['scanx detach S4', 'scanx attach S4']],
  ])('takes bare words for a command if they begin like %s', (_, decisions) => {
    const context = readingContext(decisions);

    for (const decision of decisions) expectActions(readActions(decision, context), [{ kind: 'command' }]);
    expectActions(readActions('other label P-1', { ...context, takesBareWords: false }), [{ kind: 'reply' }]);
  });

  it('takes bare words for a command beside several commands', () => {
    const context = readingContext(['tex9 --draft p1', 'bib9 p1', 'tex9 p1', 'All is done.']);

    expectActions(readActions('bib9 p1', context), [{ kind: 'command' }]);
    expectActions(readActions('bib9 p1', readingContext(['bib9 p1', 'All is done.', 'It is so.'])), [
      { kind: 'reply' },
    ]);
  });

  it.each(['mkfs.zz4 D3', 'cachectl purge all'])('takes %s for a command where it may be one', (text) => {
    expectActions(readActions(text, { usesShell: false, takesBareWords: true }), [{ kind: 'command' }]);
  });

  it('takes a program that everybody knows for a command beside another one', () => {
    const decisions = ['ps aux --sort=-%mem | head -2', 'kill 4312'];

    expectActions(readActions('kill 4312', readingContext(decisions)), [{ kind: 'command' }]);
    expectActions(readActions('kill 4312', readingContext(['kill 4312', 'open fridge 2'])), [{ kind: 'reply' }]);
  });

  it.each([
    [['configure terminal', 'interface Gi1/0/7', 'switchport access vlan 40', 'write memory'], 'command'],
    [['look around', 'take lamp', 'open door'], 'call'],
    [['positive', 'negative', 'rather neutral'], 'reply'],
  ] as const)('takes bare words for commands at a console: %j', (decisions, kind) => {
    const last = decisions[2];

    expectActions(readActions(last, readingContext(decisions)), [{ kind }]);
  });

  it('takes sentences for replies, however they begin', () => {
    const decisions = ['sure that is done', 'sure we can do that'];

    expectActions(readActions('sure that is done', readingContext(decisions)), [{ kind: 'reply' }]);
  });
});

describe('assigned calls', () => {
  it.each<Row>([
    ['rooms = find_rooms(city="Oslo")', call('find_rooms', { city: 'Oslo' })],
    ['a = find_bed(row=7)\nmove(bed=3)', call('find_bed', { row: 7 }), call('move', { bed: 3 })],
    ['rows = load(path)', { kind: 'code' }],
    ['rows = pd.read_csv("a.csv")', { kind: 'code' }],
    ['rows = 3', { kind: 'code' }],
  ])('are calls if there is nothing else: %j', (text, ...expected) => {
    expectActions(readActions(text), expected);
  });
});

describe('readExample', () => {
  it.each<Row>([
    ['shopctl refund 12', command('shopctl refund 12')],
    ['ls -la\ncat beds.csv | wc -l', command('ls -la\ncat beds.csv | wc -l')],
    ['find_bed(row=7)\nwater(bed="a")', call('find_bed', { row: 7 }), call('water', { bed: 'a' })],
    ['find_bed({\n  "row": 7\n})\nls -la', call('find_bed', { row: 7 }), command('ls -la')],
    ['{"tool": "find_bed", "row": 7}\nIt is free.', call('find_bed', { row: 7 }), reply('It is free.')],
    ['open crate 2\nPOST /beds', command('open crate 2'), { kind: 'http', verb: 'POST' }],
    ['SELECT name\nFROM beds', { kind: 'sql', text: 'SELECT name\nFROM beds' }],
    ['It is free.\nShall I book it?', reply('It is free.\nShall I book it?')],
    ['Action: find_bed\nAction Input: {"row": 7}', call('find_bed', { row: 7 })],
  ])('reads %j', (text, ...expected) => {
    expectActions(readExample(text), expected);
  });

  it('does not cut a text that is too long for an example', () => {
    const long = `find_bed(row=7)\nls -la ${'a'.repeat(20_000)}`;

    expect(readExample(long)).toEqual(readActions(long, { usesShell: true }));
    expect(readExample('find_bed(row=7)\nls -la a')).toHaveLength(2);
  });

  it('keeps a block of search and replace whole, with its file and indentation', () => {
    const block = 'src/a.py\n<<<<<<< SEARCH\n    return 1\n\nx = 2\n=======\n    return 2\n>>>>>>> REPLACE';

    expectActions(readExample(`${block}\npytest -q`), [{ kind: 'edit', text: block }, command('pytest -q')]);
  });

  it('keeps indented lines with the line above', () => {
    const request = 'POST /beds\n  {"row": 7}';

    expectActions(readExample(`open crate 2\n${request}`), [command('open crate 2'), { kind: 'http', text: request }]);
  });
});
