import { type Account, createAccounts, unique } from '../../support/accounts.js';
import { inParallel } from '../../support/eventually.js';
import { ask, learn, type Run, times, upload } from './advice.js';

const accounts = createAccounts();
let account: Account;

beforeAll(async () => {
  account = await accounts.open();
});

interface Way {
  task: string;
  deed: string;
  /** The argument that makes the difference. */
  mark: string;
}

const pairs: { agent: string; one: Way; two: Way }[] = [
  {
    agent: 'shell',
    one: {
      task: 'Undo the last commit and keep its changes staged',
      deed: 'git reset --soft HEAD~1',
      mark: '--soft',
    },
    two: {
      task: 'Undo the last commit and throw its changes away',
      deed: 'git reset --hard HEAD~1',
      mark: '--hard',
    },
  },
  {
    agent: 'sre',
    one: {
      task: 'Restart the service ledger on staging',
      deed: 'fleet restart ledger --env staging',
      mark: '--env staging',
    },
    two: {
      task: 'Restart the service ledger on production',
      deed: 'fleet restart ledger --env production',
      mark: '--env production',
    },
  },
  {
    agent: 'sql',
    one: {
      task: 'Give the cheapest product of each shelf',
      deed: 'SELECT shelf, MIN(price) FROM products GROUP BY shelf;',
      mark: 'MIN(price)',
    },
    two: {
      task: 'Give the dearest product of each shelf',
      deed: 'SELECT shelf, MAX(price) FROM products GROUP BY shelf;',
      mark: 'MAX(price)',
    },
  },
  {
    agent: 'ops',
    one: {
      task: 'Publish the library to the beta channel',
      deed: 'release publish --channel beta',
      mark: '--channel beta',
    },
    two: {
      task: 'Publish the library to the stable channel',
      deed: 'release publish --channel stable',
      mark: '--channel stable',
    },
  },
];

const run = (agent: string, { task, deed }: Way, success = true): Run => ({
  task,
  steps: [[deed, 'exit code 0']],
  success,
  agent,
});

describe('lessons that differ in one argument', () => {
  it.each(pairs)('are told to their own tasks: $one.mark and $two.mark', async ({ agent, one, two }) => {
    const tenantId = unique('argument');
    await learn(account.client, tenantId, [...times(2, run(agent, one)), ...times(3, run(agent, two))]);
    for (const [own, other] of [
      [one, two],
      [two, one],
    ] as const) {
      const { metadata } = await ask(account.client, tenantId, own.task, agent);

      const first = metadata.recommendations[0]?.text ?? '';
      expect(first).toContain(own.deed);
      expect(first).not.toContain(other.mark);
    }
  });

  it.each(pairs)('do not add up: $one.mark and $two.mark', async ({ agent, one, two }) => {
    const tenantId = unique('argument');
    await learn(account.client, tenantId, [...times(2, run(agent, one)), ...times(4, run(agent, two))]);
    for (const { task } of [one, two]) {
      const { metadata } = await ask(account.client, tenantId, task, agent);

      const supports = (mark: string) =>
        metadata.recommendations.filter(({ text }) => text.includes(mark)).map(({ support }) => support);
      expect(supports(one.mark).filter((support) => support > 2)).toEqual([]);
      expect(supports(two.mark).filter((support) => support > 4)).toEqual([]);
      expect(metadata.recommendations.length).toBeGreaterThan(0);
    }
  });

  it('are not mixed up with equal deeds in another spelling, which do add up', async () => {
    const tenantId = unique('spelling');
    const task = 'Give the number of parcels of each depot';
    const spellings = [
      'SELECT depot, COUNT(*) FROM parcels GROUP BY depot;',
      'select depot, count(*) from parcels group by depot',
      'SELECT  depot, COUNT( * )\nFROM parcels\nGROUP BY depot ;',
    ];
    const lucky = 'SELECT depot, SUM(weight) FROM parcels GROUP BY depot;';
    await learn(account.client, tenantId, [
      ...spellings.map((deed): Run => ({ task, steps: [[deed, '5 rows']], agent: 'sql' })),
      { task, steps: [[lucky, '5 rows']], agent: 'sql' },
    ]);

    const { metadata } = await ask(account.client, tenantId, task, 'sql');

    expect(metadata.recommendations[0]?.support).toBe(3);
    expect(metadata.recommendations[0]?.text).toMatch(/count\(\s*\*\s*\)/i);
    expect(metadata.recommendations[0]?.text).not.toContain('SUM(weight)');
  });
});

describe('a name as a plain word', () => {
  it('is replaced in the command by the one of the new task, and by nothing that is no name', async () => {
    const tenantId = unique('name');
    const told = async (task: string) => (await ask(account.client, tenantId, task, 'sre')).told;
    const way = { task: 'Restart the ledger deployment', deed: 'kubectl rollout restart deployment ledger', mark: '' };
    await learn(account.client, tenantId, [run('sre', way)]);

    expect(await told('Restart the mailer deployment')).toContain('kubectl rollout restart deployment mailer');
    expect(await told('Restart the failing deployment')).not.toContain('deployment failing');
    expect(await told('Restart the old deployment')).not.toContain('deployment old');
    expect(await told('Delete the mailer deployment')).not.toContain('deployment mailer');
  });
});

describe('the operation that a general tool is given', () => {
  it('is told to a like task, and not what it was done to', async () => {
    const tenantId = unique('operation');
    const agent = 'house';
    const call = (task: string, operation: string, entity: string): Run => ({
      task,
      steps: [[`call_service("${operation}", {"entity_id": "${entity}"})`, '{"success": true}']],
      agent,
    });
    await learn(account.client, tenantId, [
      call('Turn on the light in the attic', 'light.turn_on', 'light.attic'),
      call('Turn off the fan in the bathroom', 'fan.turn_off', 'fan.bathroom'),
    ]);

    const like = await ask(account.client, tenantId, 'Turn on the light in the cellar', agent);
    expect(like.told).toContain('call_service("light.turn_on", {"entity_id": "…"})');
    const opposite = await ask(account.client, tenantId, 'Turn off the light in the attic', agent);
    expect(opposite.told).not.toContain('turn_on');
  });
});

describe('outcomes', () => {
  it('tell two arguments apart within twelve', async () => {
    const tenantId = unique('votes');
    const agent = 'ops';
    const task = 'Bring the search index up to date';
    const ways = { full: 'indexer refresh --mode full', delta: 'indexer refresh --mode delta' };
    const way = (deed: string, success = true): Run => ({ task, steps: [[deed, 'exit code 0']], success, agent });
    // The one that will turn out badly begins ahead.
    await learn(account.client, tenantId, [...times(3, way(ways.full)), ...times(2, way(ways.delta))]);

    const outcomes = [...times(6, way(ways.full, false)), ...times(6, way(ways.delta))];
    await inParallel(outcomes, 4, async (outcome) => {
      const { metadata } = await ask(account.client, tenantId, task, agent);
      await account.client.learn({
        ...upload(tenantId, { ...outcome, steps: [...outcome.steps, ['done', unique('run')]] }),
        metadata: { enhancement_id: metadata.enhancement_id },
      });
    });

    const { metadata } = await ask(account.client, tenantId, task, agent);
    const first = metadata.recommendations[0]?.text ?? '';
    expect(first).toContain(ways.delta);
    expect(first).not.toContain(ways.full);
  });
});

describe('a value that fits only half of a past command', () => {
  it.each([
    ['Run the sync each day at 3 am', '0 3 * * * sync', 'Run the sync each day at 12 am', /0 12/],
    ['Run the sync each day at 3 am', '0 3 * * * sync', 'Run the sync each day at 3:30 am', /3:30 \*/],
    ['Convert the video clip.mov', 'ffmpeg -i clip.mov clip.mp4', 'Convert the video talk.mov', /clip/],
    [
      'Rotate the log app.log now',
      'rotate app.log --keep 14 --prefix app',
      'Rotate the log db.log now',
      /db\.log .*--prefix app/,
    ],
    ['Unpack the file backup.tar.gz', 'tar xzf backup.tar.gz', 'Unpack the file backup.zip', /tar xzf backup\.zip/],
    ['Print the file notes.txt', 'cat notes.txt', 'Print the file photo.png', /cat photo/],
    ['Print the file notes.txt', 'cat notes.txt', 'Print the file -n.txt', /cat -n/],
  ])('is not filled in: %s, %s; %s', async (past, deed, task, wrong) => {
    const tenantId = unique('half');
    await learn(account.client, tenantId, [run('shell', { task: past, deed, mark: '' })]);

    const { told } = await ask(account.client, tenantId, task, 'shell');
    expect(told).not.toMatch(wrong);
  });

  it('is filled in where it fits', async () => {
    const tenantId = unique('half');
    const past = { task: 'Convert the video clip.mov', deed: 'ffmpeg -i clip.mov clip.mp4', mark: '' };
    await learn(account.client, tenantId, [run('shell', past)]);

    const { told } = await ask(account.client, tenantId, 'Convert the video talk.mov', 'shell');
    expect(told).toContain('ffmpeg -i talk.mov talk.mp4');
  });
});
