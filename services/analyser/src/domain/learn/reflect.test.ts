import { closingLine, openingLine } from '@whetstone/reading';

import * as kit from '../../test-kit/sample-runs.js';
import { readForModel, reflect } from './reflect.js';

const { interactionOf } = kit;
const lessonsOf = (sample: Parameters<typeof interactionOf>[0]) => reflect(interactionOf(sample)).insights;

describe('a success teaches the action that made it', () => {
  it.each([
    [
      'a command of a program that nobody knows',
      'sre',
      'shopctl refund approve --all-pending',
      'done',
      'shopctl refund approve --all-pending',
    ],
    [
      'a plain command by its agent',
      'sre',
      'kubectl rollout restart deployment billing',
      'deployment.apps/billing restarted',
      'kubectl rollout restart deployment billing',
    ],
    ['a query', 'sql', 'SELECT count(*) FROM orders', '42', 'SELECT count(*) FROM orders'],
    ['a flat call', 'web', '{"action_type": "click", "element": "Checkout"}', 'page: thanks', '"Checkout"'],
    [
      'a call of a browser',
      'web',
      '{"current_state": {"goal": "pay"}, "action": [{"click_element": {"index": 3}}]}',
      'ok',
      'click_element',
    ],
    ['a request', 'api', 'POST /orders\n{"sku": "A1"}', '201 Created', 'POST /orders'],
    ['a label', 'classifier', 'spam', 'ok', 'spam'],
    ['an answer', 'rag', 'The warranty of the kettle lasts two years.', 'ok', 'two years'],
    [
      'an order in bare words',
      'household',
      'put mug 1 in cabinet 2',
      'You put the mug 1 in the cabinet 2.',
      'put mug 1 in cabinet 2',
    ],
  ])('%s', (_, agentType, decision, result, example) => {
    const [lesson] = lessonsOf({
      query: 'Please do what has to be done here',
      agentType,
      success: true,
      turns: [[decision, result]],
    });

    expect(lesson).toMatchObject({ kind: 'strategy', scope: 'task', polarity: 'success', evidence: [1] });
    expect(lesson?.example).toContain(example);
    expect(lesson?.actions).toHaveLength(1);
  });

  it.each([
    [
      'the number of a process',
      'Stop what listens on port 7070',
      ['lsof -t -i :7070', '8123'],
      ['kill 8123', ''],
      'lsof -t -i :7070\nkill …',
    ],
    [
      'the id of a row',
      'Grant a bonus of 30 to the oldest member',
      ['SELECT id FROM member ORDER BY joined LIMIT 1', '57'],
      ['UPDATE member SET bonus = 30 WHERE id = 57', '1 row'],
      'SELECT id FROM member ORDER BY joined LIMIT 1\nUPDATE member SET bonus = 30 WHERE id = …',
    ],
  ] as const)('with the step that looked up %s, which is another the next time', (_, query, look, change, example) => {
    const [lesson] = lessonsOf({
      query,
      agentType: 'sre',
      success: true,
      turns: [look, change].map(([a, b]) => [a, b]),
    });

    expect(lesson?.example).toBe(example);
  });

  it.each([
    [
      'the largest file in downloads',
      ['ls -S ~/downloads | head -1', 'ubuntu.iso'],
      'rm ~/downloads/ubuntu.iso',
      '~/downloads/…',
    ],
    ['the branch merged last', ['git branch --merged', 'feature/cart'], 'rm -r feature/cart', '-r …/…'],
    ['the oldest volume', ['lvs -O +time', 'vault-3'], 'rm vault-3', '…'],
  ] as const)('with the step that looked up %s, whatever that is called', (what, look, deed, operand) => {
    const turns = [[look[0], look[1]] as [string, string], [deed, ''] as [string, string]];
    const [lesson] = lessonsOf({ query: `Remove ${what}`, agentType: 'helper', success: true, turns });

    expect(lesson?.example).toBe(`${look[0]}\nrm ${operand}`);
  });

  it('without the id that an error named', () => {
    const [lesson] = lessonsOf({
      query: 'Change the plan of the database',
      agentType: 'sre',
      success: true,
      turns: [
        ['terraform plan', 'Error: state is locked, lock id 8f14-77aa-02'],
        ['terraform force-unlock 8f14-77aa-02', 'Unlocked.'],
        ['terraform apply', 'Applied.'],
      ],
    });

    expect(lesson?.example).toBe('terraform force-unlock …\nterraform apply');
  });

  it('with what the task names, and with what looks like a name', () => {
    const [lesson] = lessonsOf({
      query: 'Stop the process 8123 and remove the unused folder',
      agentType: 'sre',
      success: true,
      turns: [
        ['du -s *', '900 folder1\n8123 folder2'],
        ['kill 8123', ''],
        ['rm -r folder1', ''],
      ],
    });

    expect(lesson?.example).toBe('kill 8123\nrm -r folder1');
  });

  it('if it was an edit and a test confirmed it', () => {
    const insights = lessonsOf({
      query: 'Fix the import in app.py',
      agentType: 'coder',
      success: true,
      turns: [
        [
          'str_replace_editor({"command": "str_replace", "path": "app.py", "old_str": "import a", "new_str": "import b"})',
          'The file has been edited.',
        ],
        ['python -m pytest', '3 passed'],
      ],
    });

    expect(insights[0]?.example).toContain('app.py');
    expect(insights[0]?.example).toContain('pytest');
  });

  it('in its last form, with the changes before it and the final check', () => {
    const [lesson] = reflect(kit.rotateLogs).insights;

    expect(lesson?.example).toBe("find /var/log/shop -name '*.log' -mtime +7 -exec gzip {} +\nls /var/log/shop");
    expect(lesson?.effects).not.toEqual([]);
  });

  it('if the same program made and checked the change, with retries shown once', () => {
    const [lesson] = lessonsOf({
      query: 'Delete the *.tmp files older than 14 days below /srv/in',
      agentType: 'shell',
      success: true,
      turns: [
        ["find /srv/in -name '*.tmp' -mtime 14 -delete", ''],
        ["find /srv/in -name '*.tmp' -mtime +14 -delete", ''],
        ["find /srv/in -name '*.tmp' -mtime +14 | wc -l", '0'],
      ],
    });

    expect(lesson?.example).toBe(
      "find /srv/in -name '*.tmp' -mtime +14 -delete\nfind /srv/in -name '*.tmp' -mtime +14 | wc -l",
    );
  });

  it.each([
    [
      'that are alike but for what they are about',
      ["UPDATE a SET n = n - 5 WHERE id = 'A1'", "UPDATE a SET n = n + 5 WHERE id = 'B2'"],
    ],
    ['in a transaction', ['BEGIN', 'INSERT INTO a VALUES (1)', 'COMMIT']],
    ['to one thing after the other', ['mv a.conf c.conf', 'mv b.conf a.conf', 'mv c.conf b.conf']],
    ['around another one', ['fsfreeze -f /data', 'lvcreate -s -n snap /dev/vg/data', 'fsfreeze -u /data']],
    ['by sub-commands of a program that nobody knows', ['scanx detach S4', 'scanx reset S4', 'scanx attach S4']],
    ['with other values of an option', ['wmsx move --sku 12 --to B', 'wmsx move --sku 13 --to B']],
  ])('all changes %s', (_, decisions) => {
    const [lesson] = lessonsOf({
      query: 'Do what the run did',
      agentType: 'helper',
      success: true,
      turns: decisions.map((decision) => [decision, 'ok']),
    });

    expect(lesson?.example?.split('\n')).toEqual(decisions);
  });

  it('of a conversation: the calls up to the change, or the lookups if nothing was changed', () => {
    const [changed] = reflect(kit.returnParcel).insights;
    const [declined] = reflect(kit.declinedRefund).insights;

    expect(changed).toMatchObject({ rule: 'calls' });
    expect(changed?.example?.split('\n').map((line) => line.split('(')[0])).toEqual([
      'find_customer',
      'get_order',
      'create_return',
    ]);
    expect(declined).toMatchObject({ rule: 'looked' });
  });

  it('of a conversation that ends with a handover: the lookups and no change', () => {
    const summary = '{"summary": "The guest wants more than the terms allow."}';
    const { insights, run } = reflect(
      interactionOf({
        query: 'I want my deposit back',
        agentType: 'hotel_desk',
        success: true,
        turns: [
          ['May I have your booking number?', 'It is B-77120.'],
          ['get_booking({"booking": "B-77120"})', '{"rate": "saver"}'],
          ['Deposits of saver rates cannot be returned after the day of arrival.', 'Then let me talk to somebody.'],
          [`call_the_manager(${summary})`, 'called'],
        ],
      }),
    );

    expect(insights).toMatchObject([
      {
        rule: 'looked',
        content: 'That run changed nothing. The conversation ended with call_the_manager.',
        effects: [],
      },
      { rule: 'rule', content: 'Deposits of saver rates cannot be returned after the day of arrival.' },
    ]);
    expect(run.changes).toEqual([]);
  });

  it('of a conversation that ends with a GraphQL mutation, after the query that failed', () => {
    const change = 'mutation { moveStay(input: {booking: "B-77120"}) { booking { from } } }';
    const { insights, run } = reflect(
      interactionOf({
        query: 'I want to come a day later',
        agentType: 'hotel_desk',
        success: true,
        turns: [
          ['May I have your booking number?', 'It is B-77120.'],
          ['query { stay(id: "B-77120") { begin } }', '{"errors": [{"message": "Unknown field begin"}]}'],
          ['query { stay(id: "B-77120") { from } }', '{"data": {"stay": {"from": "2031-05-01"}}}'],
          [change, '{"data": {"moveStay": {"booking": {"from": "2031-05-02"}}}}'],
        ],
      }),
    );

    expect(insights[0]).toMatchObject({
      rule: 'calls',
      example: expect.stringContaining(change),
      effects: ['changes'],
    });
    expect(insights[0]?.example).not.toContain('begin');
    expect(run.steps.map(({ outcome }) => outcome)).toEqual(['unknown', 'error', 'ok', 'ok']);
    expect(run.changes).toEqual(['moveStay']);
  });

  it('without the failed attempt before it', () => {
    const [lesson] = reflect(kit.salesByRegion).insights;

    expect(lesson?.rule).toBe('deeds');
    expect(lesson?.example?.split('\n')).toHaveLength(1);
  });

  it('with the change to another table that made it possible', () => {
    const turns: [string, string][] = [
      ['DELETE FROM halls WHERE id = 7', 'ERROR: violates foreign key constraint "seats_hall"'],
      ['DELETE FROM seats WHERE hall_id = 7', 'DELETE 40'],
      ['DELETE FROM halls WHERE id = 7', 'DELETE 1'],
    ];
    const [lesson] = reflect(
      interactionOf({ query: 'Delete the hall 7', agentType: 'sql', success: true, turns }),
    ).insights;

    expect(lesson?.example).toBe('DELETE FROM seats WHERE hall_id = 7\nDELETE FROM halls WHERE id = 7');
  });
});

it('shows an action completely or not at all', () => {
  const query = (columns: number) =>
    `SELECT ${Array.from({ length: columns }, (_, at) => `SUM(month = ${at}) AS m${at}`).join(', ')} FROM sales`;
  const shown = (columns: number) =>
    lessonsOf({ query: 'Sales by month', agentType: 'sql', success: true, turns: [[query(columns), '(1 row)']] })[0]
      ?.example;

  expect(shown(20)).toBe(query(20));
  expect(shown(100)).toBeUndefined();
});

describe('a conversation without calls', () => {
  const talk = (reply: string) =>
    reflect(
      interactionOf({
        query: 'Can I bring my bike on the train?',
        success: true,
        turns: [
          ['Where do you want to go?', 'To the coast.'],
          [reply, 'Thank you.'],
        ],
      }),
    );

  it.each([
    'Bikes can only be taken outside of the rush hours.',
    'However, bikes must be booked before the day of the trip.',
  ])('teaches the rule that it states: %s', (rule) => {
    const [lesson] = talk(`That is no problem. ${rule}`).insights;

    expect(lesson).toMatchObject({ rule: 'rule', content: rule.replace('However, b', 'B'), scope: 'task' });
    expect(lesson).not.toHaveProperty('example');
  });

  it.each([
    [
      'Your bike cannot be taken on the early train. Shall I look for another?',
      'Your bike cannot be taken on the early train.',
    ],
    ['I have booked it for 12.90 on the early train.', 'I have booked it for <amount> on the early train.'],
    ['I must ask my colleague about the early train.', 'I must ask my colleague about the early train.'],
    ['The bikes of Ada Marlow must wait at the station.', 'The bikes of <name> must wait at the station.'],
    [
      'One bike is booked. The other one cannot be taken today.',
      'One bike is booked. The other one cannot be taken today.',
    ],
    ['The talk of Dr. Amsel cannot be cancelled so late.', 'The talk of Dr. <name> cannot be cancelled so late.'],
  ])('teaches its longest statement if it states no rule, without questions and names: %s', (reply, said) => {
    expect(talk(reply).insights).toMatchObject([{ rule: 'talk', content: said, actions: [], effects: [] }]);
  });

  it('teaches nothing if it says too little', () => {
    const { insights, nothingBecause } = talk('Have a good trip.');

    expect(insights).toEqual([]);
    expect(nothingBecause).toBe('the conversation says too little to learn from');
  });
});

it('names what a run did, so that its outcome counts for the advice it followed', () => {
  const named = (decision: string) =>
    reflect(interactionOf({ query: 'Undo it', agentType: 'shell', success: true, turns: [[decision, 'ok']] })).deeds;

  expect(named('git reset --hard HEAD~1')).toEqual(named('git  reset HEAD~1 --hard'));
  expect(named('git reset --hard HEAD~1')).not.toEqual(named('git reset --soft HEAD~1'));
});

it('lists what the run changed, without duplicates', () => {
  const { run } = reflect(kit.returnParcel);

  expect(run.changes.length).toBeGreaterThan(0);
  expect(run.changes).toEqual([...new Set(run.changes)].sort());
  expect(reflect(kit.declinedRefund).run.changes).toEqual([]);
});

describe('the record for a model', () => {
  it('contains no earlier advice of Whetstone', () => {
    const inputs = `Do it.\n${openingLine}\n1. Use find\n${closingLine}\nThanks`;

    const { intent, transcript } = readForModel(
      { query: inputs, turns: [{ turn: 1, inputs, decision: 'ls', result: inputs }] },
      500,
    );

    expect(`${intent}\n${transcript}`).not.toContain('Use find');
    expect(transcript).toContain('Thanks');
  });

  it.each([
    ['finish[42]', true],
    ['<think>what is six times seven?</think>', false],
  ])('is teachable if all that was done is %j: %j', (decision, teachable) => {
    const run = { query: 'What is six times seven?', turns: [{ turn: 1, inputs: '', decision }] };

    expect(readForModel(run, 500).teachable).toBe(teachable);
  });
});
