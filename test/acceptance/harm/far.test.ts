import { type Account, createAccounts, unique } from '../../support/accounts.js';
import { ask, learn, type Run, toldOf } from './advice.js';

const accounts = createAccounts();
let account: Account;

beforeAll(async () => {
  account = await accounts.open();
});

const run =
  (agent: string) =>
  ([task, deed, result]: readonly [string, string, string]): Run => ({ task, steps: [[deed, result]], agent });

const domains: Record<string, Run[]> = {
  shell: (
    [
      [
        'Print the five longest lines of /var/log/syslog',
        "awk '{ print length, $0 }' /var/log/syslog | sort -nr | head -n 5",
        'ok',
      ],
      ['Show which process listens on port 5432', 'ss -ltnp sport = :5432', 'LISTEN postgres'],
      ['Rename all *.jpeg files in /srv/pics to *.jpg', "cd /srv/pics && rename 's/jpeg$/jpg/' *.jpeg", 'exit code 0'],
      ['Make a compressed archive of /etc', 'tar -czf etc.tar.gz /etc', 'exit code 0'],
    ] as const
  ).map(run('shell')),
  travel: (
    [
      [
        'I want to change my flight from Oslo to Rome to the evening one',
        'change_flight(leg=1, to="evening")',
        'changed',
      ],
      ['Please add one more checked bag to my booking', 'add_bags(count=1)', 'added'],
      ['Book me the cheapest flight to Lisbon next Monday', 'book_flight(to="LIS", sort="price")', 'booked'],
    ] as const
  ).map(run('travel')),
  sql: (
    [
      ['How many singers were born before 1960?', 'SELECT COUNT(*) FROM singer WHERE birth_year < 1960;', '[[14]]'],
      ['List the stadiums by capacity', 'SELECT name FROM stadium ORDER BY capacity DESC;', '9 rows'],
      ['What is the average age of the pilots?', 'SELECT AVG(age) FROM pilot;', '[[41.5]]'],
    ] as const
  ).map(run('sql')),
};

const unrelated: Record<string, string[]> = {
  shell: [
    'Write a birthday poem for my grandmother',
    'Which vaccines do I need before a trip to Peru?',
    'Please cancel my gym membership at the end of the month',
    'Summarise the chapter about photosynthesis for pupils of ten',
  ],
  travel: [
    'Find all files below /opt that belong to nobody',
    'Why does the unit test of the parser fail on Windows?',
    'SELECT the three best paid managers of each plant',
    'Review the lease of our office for clauses about noise',
  ],
  sql: [
    'Draft a polite answer to a guest who complains about a cold soup',
    'Set up two-factor login on my phone',
    'Turn the red lamp in the kitchen off at ten',
    'Translate the manual of the washing machine into Dutch',
  ],
};

const tenants = new Map<string, string>();

beforeAll(async () => {
  for (const [domain, runs] of Object.entries(domains)) {
    tenants.set(domain, unique(domain));
    await learn(account.client, tenants.get(domain) as string, runs);
  }
});

describe('a task of another domain', () => {
  it.each(Object.entries(unrelated).flatMap(([domain, tasks]) => tasks.map((task) => ({ domain, task }))))(
    'comes back unchanged from a collection of $domain: “$task”',
    async ({ domain, task }) => {
      const { response, metadata } = await ask(account.client, tenants.get(domain) as string, task);

      expect(response).toBe(task);
      expect(metadata.recommendations).toEqual([]);
    },
  );

  it('comes back unchanged though it uses some of the same words', async () => {
    for (const task of [
      'Print a poster of the five longest rivers for the classroom wall',
      'Which process should a mediator follow when neither side listens?',
    ]) {
      expect((await ask(account.client, tenants.get('shell') as string, task)).response).toBe(task);
    }
  });
});

describe('a task of the own domain that asks for something else', () => {
  const tenantId = unique('desk');
  const refund = ([order, why]: readonly [string, string]): Run => ({
    task: `Hi, my order ${order} arrived ${why} and I want my money back.`,
    steps: [
      [`get_order(order_id="${order}")`, '{"status": "delivered"}'],
      [`refund_order(order_id="${order}", method="original")`, '{"status": "refunded"}'],
    ],
    agent: 'desk',
  });

  beforeAll(async () => {
    const refunds = [['R-1042', 'damaged'] as const, ['R-2219', 'late'] as const, ['R-3301', 'damaged'] as const];
    await learn(account.client, tenantId, refunds.map(refund));
  });

  it.each([
    'Please tell me when my order R-8123 will arrive.',
    'Please do not cancel my order R-8123, I want it.',
    'I moved. Please change the delivery address of my order R-7781 to Elm Street 5, Lund.',
  ])('is told nothing that changes something: %s', async (task) => {
    expect((await ask(account.client, tenantId, task, 'desk')).told).not.toContain('refund');
  });

  it('while one that asks for the same is', async () => {
    const { told } = await ask(
      account.client,
      tenantId,
      'My order R-9001 arrived broken, I want my money back',
      'desk',
    );

    expect(told).toContain('refund_order(');
  });
});

describe('a task of the own domain', () => {
  it.each(Object.keys(domains))('is still answered: %s', async (domain) => {
    for (const { task, steps, agent } of domains[domain] as Run[]) {
      const { told } = await ask(account.client, tenants.get(domain) as string, task, agent);

      const [deed = ''] = steps[0] ?? [];
      const way = domain === 'travel' ? deed.slice(0, deed.indexOf('(')) : deed;
      expect(toldOf(told, [way])).toEqual([way]);
    }
  });
});
