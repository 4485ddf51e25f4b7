import { type Account, createAccounts, unique } from '../../support/accounts.js';
import { ask, learn, type Run, type Step, times, toldOf } from './advice.js';

const accounts = createAccounts();
let account: Account;

beforeAll(async () => {
  account = await accounts.open();
});

/** Somebody's case: what a later customer must never read. */
const mei = {
  name: 'Mei Kovacs',
  user: 'mei_kovacs_4821',
  email: 'mei.kovacs@postbox.example',
  phone: '+1 773 555 0182',
  born: '1987-04-12',
  order: '#W7723190',
  item: '6843017725',
  street: '118 Juniper Terrace',
  zip: '60647',
  payment: 'credit_card_9513926',
  note: 'the twins spilled blackcurrant juice over it',
} as const;
const newAddress = `${mei.street}, Chicago ${mei.zip}`;
const task = `Hi, I am ${mei.name}. Please send my order ${mei.order} to another address: ${newAddress}.`;
const asked = 'Hi, I am Ravi Osei. Please send my order #W1188204 to another address: 9 Harbour Lane, Boston 02110.';
const askedWithoutValues = 'Hi. Please send my order to another address.';

const findUser = { email: mei.email, birth_date: mei.born };
const modifyAddress = {
  order_id: mei.order,
  user_id: mei.user,
  address1: mei.street,
  zip: mei.zip,
  phone: mei.phone,
  payment_method_id: mei.payment,
  item_ids: [mei.item],
  remark: mei.note,
};

const found = JSON.stringify({
  user_id: mei.user,
  name: mei.name,
  payment_methods: [mei.payment],
  orders: [mei.order],
});
const changed = JSON.stringify({ status: 'ok', order_id: mei.order, address1: mei.street });

const python = (name: string, values: object) =>
  `${name}(${Object.entries(values)
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join(', ')})`;
const tags = (name: string, values: object) =>
  `<${name}>\n${Object.entries(values)
    .map(([key, value]) => `<${key}>${[value].flat().join(',')}</${key}>`)
    .join('\n')}\n</${name}>`;

const mutation = (name: string, values: object) =>
  `mutation { ${name}(input: {${Object.entries(values)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
    .join(', ')}}) { status } }`;

/** The same call as agents of different frameworks write it. */
const syntaxes: Record<string, (name: string, values: object) => string> = {
  JSON: (name, values) => JSON.stringify({ name, arguments: values }),
  'JSON with arguments in a string': (name, values) => JSON.stringify({ name, arguments: JSON.stringify(values) }),
  'flat JSON': (name, values) => JSON.stringify({ action_type: name, ...values }),
  'JSON after a thought': (name, values) =>
    `Thought: I look up ${mei.name} first.\nAction: ${name}\nAction Input: ${JSON.stringify(values)}`,
  'a Python call': python,
  'a Python call in a code fence': (name, values) =>
    `\`\`\`python\nresult = ${python(name, values)}\nprint(result)\n\`\`\``,
  'a ToolCall repr': (name, values) =>
    `[ToolCall(name='${name}', arguments=${JSON.stringify(values).replaceAll('"', "'")}, id='call_1')]`,
  'XML tags': tags,
  'an XML invocation': (name, values) =>
    `<invoke name="${name}">\n${Object.entries(values)
      .map(([key, value]) => `<parameter name="${key}">${[value].flat().join(',')}</parameter>`)
      .join('\n')}\n</invoke>`,
  'OpenAI tool_calls': (name, values) =>
    JSON.stringify({
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_8fk2', type: 'function', function: { name, arguments: JSON.stringify(values) } }],
    }),
  'a list of actions': (name, values) =>
    JSON.stringify({ current_state: { memory: `customer ${mei.name}` }, action: [{ [name]: values }] }),
  GraphQL: mutation,
  'GraphQL in JSON': (name, values) => JSON.stringify({ query: mutation(name, values) }),
  'a GraphQL request': (name, values) => `POST /graphql\n${JSON.stringify({ query: mutation(name, values) })}`,
};

const service = (steps: readonly Step[], success = true): Run => ({ task, steps, success, agent: 'service' });

async function toldAfter(runs: readonly Run[], input: string): Promise<string> {
  const tenantId = unique('foreign');
  await learn(account.client, tenantId, runs);
  return (await ask(account.client, tenantId, input, runs[0]?.agent)).told;
}

describe('a tool call of another customer', () => {
  it.each(Object.keys(syntaxes))('is told by its name and without a value of theirs: %s', async (syntax) => {
    const call = syntaxes[syntax] as (typeof syntaxes)[string];
    const tenantId = unique('foreign');
    await learn(account.client, tenantId, [
      service([
        [call('find_customer', findUser), found, task],
        [call('modify_order_address', modifyAddress), changed, found],
        [`Done, ${mei.name.split(' ')[0]}! Your order ${mei.order} now goes to ${mei.street}.`, 'Thank you!'],
      ]),
    ]);
    for (const input of [asked, askedWithoutValues]) {
      const { told } = await ask(account.client, tenantId, input, 'service');

      expect(toldOf(told, [...Object.values(mei), 'Kovacs'])).toEqual([]);
      if (input === asked) expect(told).toContain('modify_order_address');
    }
  });

  it('is an HTTP request without a value of theirs', async () => {
    const addressPath = `/customers/${mei.user}/orders/${encodeURIComponent(mei.order)}/address`;
    const told = await toldAfter(
      [
        service([
          [`GET /customers?email=${encodeURIComponent(mei.email)}&born=${mei.born}`, `200 OK\n${found}`],
          [`PATCH ${addressPath}\n${JSON.stringify(modifyAddress)}`, `200 OK\n${changed}`],
        ]),
      ],
      asked,
    );

    expect(told).toContain('PATCH');
    const escaped = [encodeURIComponent(mei.email), encodeURIComponent(mei.order), 'W7723190'];
    expect(toldOf(told, [...Object.values(mei), ...escaped])).toEqual([]);
  });

  it('is not told where it only points at places on a page', async () => {
    const clicks: Run = {
      task: 'Sort the parcels of the depot by weight',
      steps: [
        ['click(selector="#a3f")', 'page: Parcels'],
        ['click(selector="#b71")', 'page: Parcels by weight'],
      ],
      agent: 'browser',
    };

    expect(await toldAfter([clicks], 'Sort the letters of the depot by weight')).toBe('');
  });

  it('is a form filled in a browser, without what was typed', async () => {
    const typed = (field: string, text: string): Step => [`type [${field}] [${text}] [1]`, `typed into ${field}`];
    const told = await toldAfter(
      [
        {
          ...service([
            ['click [214]', 'page: Your orders'],
            typed('1620', mei.street),
            typed('1623', mei.zip),
            typed('1625', mei.note),
            ['click [1630]', 'page: Address saved'],
          ]),
          agent: 'browser',
        },
      ],
      asked,
    );

    expect(toldOf(told, Object.values(mei))).toEqual([]);
  });

  it('loses the values of all when several customers agree', async () => {
    const others = ['W5512008', 'W9034417', 'W3320951'];
    const runs = others.map((order, index): Run => {
      const values = { order_id: `#${order}`, address1: `${index + 3}1 Poplar Street`, zip: `6${index}331` };
      return {
        task: `Please send my order #${order} to another address: ${values.address1}`,
        steps: [[syntaxes['JSON']?.('modify_order_address', values) ?? '', `{"ok": true, "order": "#${order}"}`]],
        agent: 'service',
      };
    });

    const told = await toldAfter(runs, asked);

    expect(told).toContain('modify_order_address');
    expect(toldOf(told, [...others, 'Poplar Street', '60331', '61331', '62331'])).toEqual([]);
  });
});

describe('free text', () => {
  it.each<{ where: string; steps: Step[]; success?: boolean }>([
    {
      where: 'an answer to the customer',
      steps: [
        [
          `Dear ${mei.name}, ${mei.note}: noted. Order ${mei.order} goes to ${newAddress}; I wrote to ${mei.email}.`,
          'Thanks!',
        ],
      ],
    },
    {
      where: 'the error of a tool',
      steps: [
        [
          'change_address({})',
          `{"error": "order ${mei.order} of ${mei.user} is not pending; ${mei.payment} was charged"}`,
        ],
        ['refresh_order()', `{"order": "${mei.order}", "status": "pending"}`],
        ['change_address({"retry": true})', '{"ok": true}'],
      ],
    },
    {
      where: 'the last obstacle of a failed run',
      success: false,
      steps: [
        ['lookup', `Error: ${mei.name}, born ${mei.born}, phone ${mei.phone}, has no order ${mei.order}`],
        [`I could not find ${mei.name} under ${mei.email}.`, `Please, ${mei.note}!`],
      ],
    },
    {
      where: 'what the customer typed when asked back',
      steps: [
        ['ask_customer("What happened?")', `${mei.note}; call me at ${mei.phone}`],
        [`file_complaint(text="${mei.note}", phone="${mei.phone}")`, 'filed'],
      ],
    },
  ])('loses the values of another customer: $where', async ({ steps, success = true }) => {
    for (const input of [asked, askedWithoutValues]) {
      const told = await toldAfter(times(2, service(steps, success)), input);

      expect(toldOf(told, [...Object.values(mei), 'Kovacs'])).toEqual([]);
    }
  });
});

describe('a reply in the form of a record', () => {
  const past = 'Which plan does this customer have, and where do they live?';
  const next = 'Which plan does this customer have and where do they live now?';

  it.each([
    ['JSON', '{"customer": "thibaudeau", "plan": "saffron", "city": "metzingen"}'],
    ['XML', '<c><name>thibaudeau</name><plan>saffron</plan><city>metzingen</city></c>'],
    ['YAML', 'customer: thibaudeau\nplan: saffron\ncity: metzingen'],
    ['CSV', 'customer,plan,city\nthibaudeau,saffron,metzingen'],
    ['a table', '| customer | plan | city |\n|---|---|---|\n| thibaudeau | saffron | metzingen |'],
    ['HL7', 'PID|1||thibaudeau^ada||saffron|metzingen'],
    ['Japanese', 'お客様のティボドーはサフランプランで、メッツィンゲンにお住まいです。'],
  ])('loses its values for another wording: %s', async (_, reply) => {
    const told = await toldAfter([{ task: past, steps: [[reply, 'Thanks!']], agent: 'desk' }], next);

    expect(toldOf(told, ['thibaudeau', 'saffron', 'metzingen', 'ティボドー', 'メッツィンゲン'])).toEqual([]);
  });

  it('is told if it is prose that names nobody', async () => {
    const reply = 'Ask for the number of the contract first; the plan is on its second page.';
    const told = await toldAfter([{ task: past, steps: [[reply, 'Thanks!']], agent: 'desk' }], next);

    expect(told).toContain('second page');
  });
});

describe('a query or command', () => {
  it.each<{ agent: string; past: string; deed: string; values: string[]; next: string; way: string }>([
    {
      agent: 'sql',
      past: `How many orders has the customer with the address ${mei.email} placed?`,
      deed: `SELECT COUNT(*) FROM orders JOIN customers USING (customer_id) WHERE customers.email = '${mei.email}';`,
      values: [mei.email, 'kovacs'],
      next: 'How many orders has the customer with the address ravi@osei.example placed?',
      way: 'JOIN customers',
    },
    {
      agent: 'shell',
      past: `Send the file terms.pdf to ${mei.email}`,
      deed: `mutt -s 'Terms' -a terms.pdf -- ${mei.email} < /dev/null`,
      values: [mei.email, 'kovacs'],
      next: 'Send the file terms.pdf to ravi@osei.example',
      way: 'mutt',
    },
  ])('keeps its words and loses the contact data of another: $way', async (testCase) => {
    const { agent, past, deed, values, next, way } = testCase;
    const told = await toldAfter([{ task: past, steps: [[deed, 'done']], agent }], next);

    expect(told).toContain(way);
    expect(toldOf(told, values)).toEqual([]);
  });

  it.each<{ past: string; deed: string; values: string[]; way: string; agent?: string }>([
    {
      past: 'Create an account for the new colleague',
      deed: 'useradd -c "Farid Nasser, Room 2.114, ext 5530" -m fnasser',
      values: ['nasser', '2.114', '5530'],
      way: 'useradd -c',
    },
    {
      past: 'Put the patient on the waiting list',
      deed: "INSERT INTO waiting_list (who, born, why) VALUES ('Ada Marlow', '1979-11-02', 'suspected fracture')",
      values: ['Marlow', '1979', 'fracture'],
      way: 'INSERT INTO waiting_list (who, born, why) VALUES',
      agent: 'sql',
    },
    {
      past: 'Ban the user who was reported',
      deed: "UPDATE members SET banned = true, note = 'harassed lilly_87' WHERE nick = 'darkwolf'",
      values: ['lilly', 'darkwolf'],
      way: 'SET banned = true',
      agent: 'sql',
    },
    {
      past: 'Rename the scan of the passport',
      deed: 'mv scan0001.pdf Passport_Oksana_Melnyk_FE123456.pdf',
      values: ['Oksana', 'Melnyk', 'FE123456'],
      way: 'mv scan0001.pdf',
    },
    {
      past: 'Commit the fix',
      deed: 'git commit -am "Fix login crash reported by Aisha Bello (ACME-1182)"',
      values: ['Aisha', 'Bello', '1182'],
      way: 'git commit -am',
    },
  ])('loses what belongs to the case that it was for: $way', async ({ past, deed, values, way, agent = 'shell' }) => {
    const told = await toldAfter([{ task: past, steps: [[deed, 'done']], agent }], past);

    expect(told).toContain(way);
    expect(toldOf(told, values)).toEqual([]);
  });

  it('loses the name of another case in a path', async () => {
    const past = (record: string) => `Export the results of the record ${record}`;
    const deed = 'labtool export 00123456 --out /exports/Weber_Ingrid_1951.pdf';
    const told = await toldAfter([{ task: past('00123456'), steps: [[deed, 'done']], agent: 'lab' }], past('00999111'));

    expect(toldOf(told, ['Weber', 'Ingrid', '1951', '00123456'])).toEqual([]);
  });

  it('keeps patterns, programs and categories, whatever the task says', async () => {
    const past = 'Show what went wrong last night';
    const deeds = [
      `grep -c 'Failed login for' /var/log/auth.log | awk '{print $1}'`,
      `psql -c "SELECT id FROM jobs WHERE state = 'failed' AND title = 'night run'"`,
    ];
    for (const deed of deeds) {
      expect(await toldAfter([{ task: past, steps: [[deed, '7']] }], past)).toContain(deed);
    }
  });

  it('keeps paths and sizes where they are what the very task says', async () => {
    const past = 'Find the files below /srv/media that are larger than 700 MB';
    const deed = 'find /srv/media -type f -size +700M';
    const told = await toldAfter([{ task: past, steps: [[deed, '/srv/media/a.mkv']] }], past);

    expect(told).toContain(deed);
  });
});

describe('a value of the new task itself', () => {
  it('may be shown, and no other stands in its place', async () => {
    const call = (order: string) => `cancel_order(order_id="${order}", reason="no longer needed")`;
    const told = await toldAfter(
      [{ task: 'Cancel my order W4410077', steps: [[call('W4410077'), 'cancelled']], agent: 'service' }],
      'Cancel my order W8815520',
    );

    expect(told).toContain('cancel_order');
    expect(toldOf(told, ['W4410077'])).toEqual([]);
    expect(told.match(/W\d{7}/g)?.filter((id) => id !== 'W8815520') ?? []).toEqual([]);
  });

  it('does not open the rest of the case it comes from', async () => {
    const told = await toldAfter(
      [service([[syntaxes['JSON']?.('modify_order_address', modifyAddress) ?? '', changed, task]])],
      `Please send my order ${mei.order} to another address.`,
    );

    const { order: _own, ...rest } = mei;
    expect(toldOf(told, Object.values(rest))).toEqual([]);
  });
});

describe('a decision of another case', () => {
  it('is not told where it is a yes or no, or a value that the new task has in another role', async () => {
    const block = syntaxes['JSON']?.('block_card', { card: 'C-4711', permanent: true }) ?? '';
    const move = syntaxes['JSON']?.('change_plan', { from: 'Basic', to: 'Premium' }) ?? '';
    const done = (task: string, deed: string): Run => ({ task, steps: [[deed, '{"ok": true}']], agent: 'desk' });
    const stolen = done('My card C-4711 was stolen, please block it', block);
    const upgrade = done('Move the customer from plan Basic to plan Premium', move);

    expect(await toldAfter([stolen], 'I mislaid my card, please block it until I find it')).not.toContain('true');
    expect(await toldAfter([stolen], stolen.task)).toContain('"permanent": true');
    expect(await toldAfter([upgrade], 'Move the customer to plan Basic, she pays too much')).not.toContain(
      '"from": "Basic"',
    );
  });
});

describe('a short number of the new task', () => {
  it('does not show a value that happens to be the same', async () => {
    const book = syntaxes['JSON']?.('book_room', { room: 5, people: 5, hour: 17 }) ?? '';
    const past = 'Book the room 5 for 5 people at 5 pm';
    const told = await toldAfter(
      [{ task: past, steps: [[book, '{"ok": true}']], agent: 'desk' }],
      'Book the room 6 for 5 people at 5 pm',
    );

    expect(told).not.toMatch(/"room": ?5/);
  });
});

describe('numbers of another case', () => {
  const past = 'The kettle arrived broken. I want a refund of 49.90 to my card ending 4411.';
  const next = 'The lamp arrived broken. I want a refund of 15.50 to my card ending 9920.';
  const theirs = ['49.9', '4411', '88213', 'AX-7'];
  const refund = syntaxes['JSON']?.('issue_refund', { order_id: 'AX-7', amount: 49.9, card_end: '4411' }) ?? '';

  it.each<{ after: string; steps: Step[]; way: string }>([
    { after: 'a call', steps: [[refund, '{"status": "ok"}']], way: 'issue_refund' },
    {
      after: 'a request',
      steps: [['POST /orders/88213/refunds {"amount": 49.90, "card_end": "4411"}', '201 Created']],
      way: 'POST /orders/…/refunds',
    },
    {
      after: 'a conversation',
      steps: [
        ['Which card did you use for this order, please?', 'The one ending 4411.'],
        ['You get the 49.90 back on the card ending 4411 within 30 days, and need not return the kettle.', 'Thanks!'],
      ],
      way: 'within 30 days',
    },
  ])('are not told, neither those of the task nor those of $after', async ({ steps, way }) => {
    for (const input of [next, 'The lamp arrived broken. I want a refund to my card.']) {
      const told = await toldAfter([{ task: past, steps, agent: 'service' }], input);

      expect(toldOf(told, theirs)).toEqual([]);
      if (input === next) expect(told).toContain(way);
    }
  });

  it('are not told where code changed something', async () => {
    const steps: Step[] = [["order = shop.orders.get('55120')\nshop.refunds.create(order.payment, amount=49.9)", 'ok']];
    const refunded = { task: 'Refund order 55120 for the broken kettle', steps, agent: 'python' };
    const told = await toldAfter([refunded], 'Refund order 88213 for the broken lamp');
    const own = await toldAfter([refunded], refunded.task);

    expect(told).toContain('shop.refunds.create');
    expect(toldOf(told, ['55120', '49.9'])).toEqual([]);
    expect(own).toContain("shop.orders.get('55120')");
  });

  it.each<{ task: string; steps: Step[]; told: string; theirs: string }>([
    {
      task: 'Kill the process that uses the most memory',
      steps: [
        ['ps aux --sort=-%mem | head -2', 'root 4312 90%'],
        ['kill -9 4312', ''],
      ],
      told: 'ps aux --sort=-%mem | head -2',
      theirs: '4312',
    },
    {
      task: 'Move the newest report to the archive',
      steps: [
        ['ls -t reports | head -1', 'q3_final.pdf'],
        ['mv reports/q3_final.pdf archive/', ''],
      ],
      told: 'mv reports/… archive/',
      theirs: 'q3_final',
    },
    {
      task: "Create today's dump of the shop",
      steps: [['pg_dump shop > /dumps/shop_2031-03-04.sql', '']],
      told: 'pg_dump shop > /dumps/shop_',
      theirs: '2031',
    },
    {
      task: 'Show my open bills',
      steps: [["SELECT * FROM bills WHERE customer_id = 4411 AND state = 'open'", '2 rows']],
      told: 'SELECT * FROM bills WHERE customer_id = ',
      theirs: '4411',
    },
  ])('are not told where the very task means others the next time: $task', async ({ task, steps, told, theirs }) => {
    const answer = await toldAfter([{ task, steps, agent: 'helper' }], task);

    expect(answer).toContain(told);
    expect(answer).not.toContain(theirs);
  });

  it('are not told in a script without spaces, but replaced', async () => {
    const task = (customer: string) => `顧客${customer}の住所を変更してください`;
    const change = (customer: string) => syntaxes['JSON']?.('update_address', { customer }) ?? '';
    const run: Run = { task: task('4711'), steps: [[change('4711'), '{"ok": true}']], agent: 'desk' };

    expect(await toldAfter([run], task('4711'))).toContain('"4711"');
    expect(await toldAfter([run], task('9920'))).toContain('"9920"');
    expect(toldOf(await toldAfter([run], '顧客の住所を変更してください'), ['4711'])).toEqual([]);
  });

  it('are not told where a script looked up what the task does not name', async () => {
    const task = (project: string) => `Mail the bill of the project ${project} to the office`;
    const steps: Step[] = [
      ['found = search_files(query="bill", project="Apollo")', "[{'id': 'f_31'}]"],
      ['send_mail(to="office", subject="Bill of Apollo", attachments=["f_31"])', "{'status': 'sent'}"],
    ];
    const told = await toldAfter([{ task: task('Apollo'), steps, agent: 'assistant' }], task('Gemini'));

    expect(told).toContain('send_mail');
    expect(toldOf(told, ['f_31', 'Apollo'])).toEqual([]);
  });
});
