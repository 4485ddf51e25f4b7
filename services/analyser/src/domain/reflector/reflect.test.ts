import type { Insight, Interaction } from '@whetstone/contracts';

import { reflect } from './reflect.js';
import {
  copyExcept,
  countWithoutError,
  declinedRefund,
  fencedCommand,
  fixImport,
  hexDump,
  interactionOf,
  keepsAsking,
  orderFilter,
  returnParcel,
  rotateLogs,
  salesByRegion,
  unlabelledApi,
} from './test-kit/interactions.js';

function lesson(interaction: Interaction, kind: Insight['kind']): Insight {
  const found = reflect(interaction).insights.find((insight) => insight.kind === kind);
  if (!found) throw new Error(`No ${kind} was learnt`);
  return found;
}

describe('a shell agent', () => {
  it('teaches the decisive command verbatim, and its way of working without the names of the task', () => {
    const { example, content, title } = lesson(rotateLogs, 'strategy');

    expect(example).toBe("find /var/log/shop -name '*.log' -mtime +7 -exec gzip {} +\nls /var/log/shop");
    expect(content).toContain('age in days (`-mtime`)');
    expect(content).toContain('Confirmed with `ls`');
    expect(`${title} ${content}`).not.toMatch(/shop|\/var/);
  });

  it('teaches what replaced a program that was not there', () => {
    expect(lesson(hexDump, 'recovery')).toMatchObject({
      appliesWhen: '`hexdump` answers “not found”',
      content: expect.stringContaining('`od` instead of `hexdump`'),
      example: 'od -A d -t x1 -N 32 /srv/firmware/boot.img',
      evidence: [1, 2],
    });
  });

  it('names the last obstacle of a failure, how often it came, and what to do about its kind', () => {
    const { content, polarity } = lesson(copyExcept, 'pitfall');

    expect(content).toContain("`cp` ended in “unrecognized option '--exclude'” 3 times, in 3 forms");
    expect(content).toContain('do it with another tool');
    expect(polarity).toBe('failure');
  });

  it('claims no cause where nothing complained, and says so with little confidence', () => {
    const { content, example, confidence } = lesson(countWithoutError, 'pitfall');

    expect(content).toContain('the turns do not show why');
    expect(example).toBe("cut -d' ' -f1 access.log | wc -l\nawk '{print $1}' access.log | wc -l");
    expect(confidence).toBeLessThan(0.3);
  });

  it('teaches to send the bare command where the environment took the fence literally', () => {
    expect(lesson(fencedCommand, 'recovery')).toMatchObject({
      title: expect.stringContaining('Send the bare action'),
      example: 'uname -r',
    });
  });

  it('tells what the form that was enough has over the one before it', () => {
    const { content } = lesson(
      interactionOf({
        query: 'Count the files whose mode was changed',
        agentType: 'shell',
        success: true,
        turns: [
          ["find data -name '*.sh' -exec chmod 755 {} + | wc -l", '0'],
          ["find data -name '*.sh' -exec chmod 755 {} + -print | wc -l", '12'],
        ],
      }),
      'strategy',
    );
    expect(content).toContain('What it has over the form tried before it: adding `-print`');
  });
});

describe('a coding agent', () => {
  it('teaches the order of the deeds and how they were confirmed', () => {
    expect(lesson(fixImport, 'strategy')).toMatchObject({
      content: 'It took, in this order, `pip install openpyxl`, then `sed -i`. Confirmed with `python -m pytest`.',
      evidence: [2, 3, 4],
    });
  });

  it('teaches what removed an error when the same call went through after it', () => {
    expect(lesson(fixImport, 'recovery').content).toBe(
      "`python` failed with “ModuleNotFoundError: No module named 'openpyxl'”. What worked: `pip install openpyxl` first, then the same again.",
    );
  });
});

describe('a SQL agent', () => {
  it('teaches how the query works, and to read the schema after an unknown column', () => {
    expect(lesson(salesByRegion, 'strategy').steps[0]).toBe('Look at the tables and columns first');
    expect(lesson(salesByRegion, 'strategy').content).toContain('joins on the keys');
    expect(lesson(salesByRegion, 'recovery').content).toContain("“Unknown column 'region'");
    expect(lesson(salesByRegion, 'recovery').content).toContain('reading the schema, then a query with');
  });
});

describe('a tool-calling agent', () => {
  it('teaches to look up, to get the yes, and only then to write', () => {
    const { title, steps, content, example } = lesson(returnParcel, 'strategy');

    expect(title).toBe("Look up with `find_customer` and `get_order`, get the user's yes, then call `create_return`");
    expect(steps).toEqual([
      '`find_customer`',
      '`get_order`',
      "Say what will be done and get the user's yes",
      '`create_return`',
    ]);
    expect(content).toContain('`find_customer` (for `order_id`, which the user did not know)');
    expect(example).toContain('"refund_to": "card_1002"');
  });

  it('teaches which argument got past a refused call', () => {
    expect(lesson(returnParcel, 'recovery').content).toBe(
      '`create_return` failed with “payment method … not found”. What worked: the same call with another `refund_to`. The id or name is not known there: look it up (list or search) instead of guessing it.',
    );
  });

  it('keeps the rule by which declining was right', () => {
    expect(lesson(declinedRefund, 'strategy').content).toContain(
      '“Early-bird tickets cannot be refunded unless the organiser cancels the event.”',
    );
  });

  it('warns of asking again for what the user has not got', () => {
    expect(lesson(keepsAsking, 'pitfall').title).toBe('Do not keep asking for what the user has not got');
  });

  it('does not call a run that was accepted at every step a success when its caller says that it failed', () => {
    const { insights } = reflect({ ...returnParcel, success: false });

    expect(insights.map(({ polarity }) => polarity)).not.toContain('success');
    expect(insights.map(({ kind }) => kind)).not.toContain('strategy');
  });
});

describe('a browser agent', () => {
  it('teaches the path by what elements are called, and keeps the ids in the example only', () => {
    const { steps, content, example } = lesson(orderFilter, 'strategy');

    expect(steps).toEqual([
      "type into textbox 'Search the shop'",
      "click button 'Sort by price'",
      "click button 'Add to cart'",
    ]);
    expect(content).not.toMatch(/\[\d+\]/);
    expect(example).toContain('click [52]');
  });

  it('says of what the task names only that it was chosen, so that runs at other things agree', () => {
    const bought = (thing: string, size: string) =>
      lesson(
        interactionOf({
          query: `Buy a ${thing} in ${size}, below 40 euros`,
          agentType: 'browser',
          success: true,
          turns: [
            [`search[${thing} ${size}]`, '[P1001] [P1002]'],
            ['click[P07QX10023]', `size [${size}][other]`],
            [`click[${size}]`, 'Chosen.'],
            ['click[Order now]', ''],
          ],
        }),
        'strategy',
      ).title;

    expect(bought('wool scarf', 'dark green')).toBe(
      'Path that worked: search for words of the task → click an item by its id → click what the task names → click “Order now”',
    );
    expect(bought('straw hat', 'extra large')).toBe(bought('wool scarf', 'dark green'));
  });

  it('teaches to read the page again after an element was gone', () => {
    expect(lesson(orderFilter, 'recovery').content).toContain('take the id from the newest observation');
  });
});

describe('a run without a verdict', () => {
  it('is judged from its turns and says so; that nothing complained does not make it a success', () => {
    const { run, insights } = reflect(unlabelledApi);

    expect(run).toMatchObject({ outcome: 'unknown', judged: true });
    expect(insights.map(({ kind }) => kind)).toEqual(['recovery']);
  });

  it.each([
    ['success', ['cargo test', 'test result: ok. 9 passed; 0 failed']],
    ['failure', ['rm /etc/fstab', "rm: cannot remove '/etc/fstab': Permission denied"]],
    ['success', ['Try turning the valve to the left.', 'Perfect, that worked!']],
    ['failure', ['Try turning the valve to the left.', "It still doesn't open."]],
    ['unknown', ['touch /srv/flag', '']],
  ] as const)('is a %s where the last turn says so: %j', (outcome, turn) => {
    expect(reflect(interactionOf({ query: 'Get it to work', turns: [turn] })).run).toMatchObject({
      outcome,
      judged: true,
    });
  });
});

describe('an agent that reaches its shell, database or API through tools', () => {
  it('is read by what the tools execute', () => {
    const { example, title } = lesson(
      interactionOf({
        query: 'Which process listens on port 8443?',
        success: true,
        turns: [
          ['bash({"command": "netstat -tlnp | grep 8443"})', 'bash: netstat: command not found'],
          ['bash({"command": "ss -tlnp"})', 'LISTEN 0 511 *:8443 users:(("envoy",pid=2218))'],
        ],
      }),
      'recovery',
    );

    expect(title).toBe('When `netstat` says “command not found”: `ss` instead of `netstat` and `grep`');
    expect(example).toBe('ss -tlnp');
  });

  it('teaches which call gives the value that a refused call lacked', () => {
    const { content } = lesson(
      interactionOf({
        query: 'Send a new parcel, the first one never came',
        success: true,
        turns: [
          ['create_replacement({"order": "C-871"})', '{"error": "a replacement requires an open claim"}'],
          ['open_claim({"order": "C-871"})', '{"claim": "K-31"}'],
          ['create_replacement({"order": "C-871", "claim": "K-31"})', '{"order": "C-872"}'],
        ],
      }),
      'recovery',
    );

    expect(content).toContain(
      '`open_claim` first, whose result gives `claim`; then the same call with `claim` given as well',
    );
  });

  it.each([
    ['{"limit": 1000}', '{"limit": 200}', 'a smaller `limit`'],
    [
      '{"address": "12 Mill Lane"}',
      '{"address": {"street": "12 Mill Lane", "city": "Leeds"}}',
      '`address` as an object of `street` and `city`',
    ],
    ['{"city": "Köln"}', '{"city": "K%C3%B6ln"}', '`city` percent-encoded'],
    ['{"id": "1", "force": true}', '{"id": "1"}', '`force` left out'],
  ])('teaches how an argument changed: %s to %s', (before, after, difference) => {
    const { content } = lesson(
      interactionOf({
        query: 'Fetch the records',
        success: true,
        turns: [
          [`fetch_records(${before})`, '400 Bad Request: invalid value'],
          [`fetch_records(${after})`, '{"records": 3}'],
        ],
      }),
      'recovery',
    );
    expect(content).toContain(`What worked: the same call with ${difference}.`);
  });
});
