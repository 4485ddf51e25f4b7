import { reflect } from './reflect.js';
import { type Exchange, interactionOf } from './test-kit/interactions.js';

function recoveriesOf(turns: Exchange[], agentType: string) {
  return reflect(
    interactionOf({ query: 'Mend what is broken in the shed', agentType, success: true, turns }),
  ).insights.filter(({ kind }) => kind === 'recovery');
}

it('takes another command for a way past an error only where both are about the same', () => {
  const missing: Exchange = ['shedtest -q tools/', 'bash: shedtest: command not found'];

  expect(recoveriesOf([missing, ["nl -ba roof.txt | sed -n '1,20p'", '1 tiles']], 'shell')).toEqual([]);
  expect(recoveriesOf([missing, ['python3 -m shed.check tools/', 'ok']], 'shell')).toHaveLength(1);
});

it('takes only another way to run a check for a way past one that could not begin', () => {
  const missing: Exchange = ['pytest tools/test_saw.py', 'bash: pytest: command not found'];

  expect(recoveriesOf([missing, ["nl -ba tools/test_saw.py | sed -n '1,20p'", '1 saw']], 'shell')).toEqual([]);
  expect(recoveriesOf([missing, ['python3 -m pytest tools/test_saw.py', '1 passed']], 'shell')).toHaveLength(1);
});

it('blames the program that is missing, and not the one that it was to run', () => {
  const [lesson] = recoveriesOf(
    [
      ['sudo mount /dev/sdb1 /shed', 'bash: sudo: command not found'],
      ['mount /dev/sdb1 /shed', ''],
    ],
    'shell',
  );

  expect(lesson?.title).toBe('When `sudo` says “command not found”: leaving out `sudo`');
});

it('tells that the schema was read before the query that worked', () => {
  const [lesson] = recoveriesOf(
    [
      ['SELECT tool FROM shed', "ERROR: Unknown column 'tool' in 'field list'"],
      ['DESCRIBE shed', 'tool_id int'],
      ['SELECT t.name FROM shed s JOIN tools t ON t.id = s.tool_id', 'saw'],
    ],
    'sql',
  );

  expect(lesson?.content).toContain('What worked: reading the schema, then `t.name`, `tools`, `t.id` and `s.tool_id`');
});

it('takes no look at the schema for a way past a query that failed', () => {
  const wrong: Exchange = ['SELECT tool FROM shed', "ERROR: Unknown column 'tool' in 'field list'"];

  expect(recoveriesOf([wrong, ['DESCRIBE shed', 'tool_id int']], 'sql')).toEqual([]);
});

it('takes another click for a way past an error only where it is the same thing by another name', () => {
  const invalid: Exchange = ['click[Red paint, 5 l]', 'Invalid action!'];

  expect(recoveriesOf([invalid, ['click[Buy now]', 'Bought.']], 'web')).toEqual([]);
  expect(recoveriesOf([invalid, ['click[red paint 5 litres]', 'Chosen.']], 'web')).toHaveLength(1);
});

it('takes a tool with a like name and other arguments for another tool', () => {
  const failed: Exchange = [
    'change_shed_tools({"shed_id": "S1", "tools": ["saw"], "count": 1})',
    'Error: tool not found',
  ];
  const other: Exchange = ['change_shed_address({"shed_id": "S1", "street": "Mill Lane", "town": "Lervik"})', 'ok'];
  const batch: Exchange = ['change_shed_batch({"shed_id": "S1", "tools": ["saw", "axe"], "count": 2})', 'ok'];

  expect(recoveriesOf([failed, other], 'tools')).toEqual([]);
  expect(recoveriesOf([failed, batch], 'tools')).toHaveLength(1);
});
