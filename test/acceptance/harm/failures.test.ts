import { type Account, createAccounts, unique } from '../../support/accounts.js';
import { type Advice, ask, learn, type Run, type Step, times, toldOf } from './advice.js';

const accounts = createAccounts();
let account: Account;

beforeAll(async () => {
  account = await accounts.open();
});

interface Case {
  agent: string;
  task: string;
  /** What works, and the words of it that must be told. */
  good: Step;
  way: string;
  /** What failed, and with what. */
  bad: Step[];
  /** What would show one of these as something to run. */
  wrong: string[];
}

const cases: Case[] = [
  {
    agent: 'shell',
    task: 'Replace tabs by four blanks in all Python files below /srv/app',
    good: ["find /srv/app -name '*.py' -exec sed -i 's/\\t/    /g' {} +", 'exit code 0'],
    way: "sed -i 's/\\t/    /g'",
    bad: [
      ['expand -i -t 4 /srv/app', 'expand: /srv/app: Is a directory\nexit code 1'],
      ['sed -i s/\\t/    /g /srv/app/*.py', "sed: -e expression #1, char 5: unterminated `s' command"],
      ['tr "\\t" "    " < /srv/app/main.py', 'exit code 0'],
      ['find /srv/app -name *.py | expand -t 4', "find: paths must precede expression: `b.py'"],
    ],
    wrong: ['expand -i -t 4 /srv/app', '| expand -t 4', 'tr "\\t" "    " < /srv/app/main.py'],
  },
  {
    agent: 'sql',
    task: 'Give the name of the department with the most employees',
    good: [
      'SELECT d.name FROM departments d JOIN employees USING (dept_id) GROUP BY d.id ORDER BY COUNT(*) DESC LIMIT 1;',
      '[["Logistics"]]',
    ],
    way: 'GROUP BY d.id ORDER BY COUNT(*) DESC LIMIT 1',
    bad: [
      ['SELECT department FROM employees ORDER BY COUNT(*) DESC;', 'Error: no such column: department'],
      ['SELECT name, MAX(COUNT(*)) FROM departments;', 'Error: misuse of aggregate function COUNT()'],
      ['SELECT name FROM departments LIMIT 1;', '[["Accounts"]]'],
    ],
    wrong: ['SELECT department FROM employees', 'SELECT name, MAX(COUNT(*))', 'SELECT name FROM departments LIMIT 1'],
  },
  {
    agent: 'sre',
    task: 'Roll the deployment ledger back to its previous version',
    good: ['kubectl rollout undo deployment/ledger', 'deployment.apps/ledger rolled back'],
    way: 'kubectl rollout undo deployment/ledger',
    bad: [
      ['kubectl rollback deployment ledger', 'error: unknown command "rollback" for "kubectl"'],
      ['kubectl set image deployment/ledger ledger=previous', 'deployment.apps/ledger image updated'],
      ['kubectl delete pod -l app=ledger', 'pod "ledger-5d7" deleted'],
    ],
    wrong: ['kubectl rollback deployment', 'ledger=previous', 'kubectl delete pod -l'],
  },
  {
    agent: 'desk',
    task: 'Reserve the room Aurora for Thursday from ten to eleven',
    good: ['rooms book Aurora --day thursday --from 10 --to 11', 'booked'],
    way: 'rooms book Aurora --day thursday',
    bad: [
      ['rooms reserve Aurora', 'unknown command: reserve'],
      ['calendar add "Aurora, Thursday"', 'added to your calendar'],
    ],
    wrong: ['rooms reserve Aurora', 'calendar add "Aurora'],
  },
];

const succeeded = ({ task, good, agent }: Case): Run => ({ task, steps: [good], agent });
const failed = ({ task, bad, agent }: Case): Run[] =>
  bad.flatMap((step) => times(2, { task, steps: [step, ['I give up.', '']], success: false, agent }));

async function adviceAfter(runs: readonly Run[], { task, agent }: Case): Promise<Advice> {
  const tenantId = unique('failures');
  await learn(account.client, tenantId, runs);
  return ask(account.client, tenantId, task, agent);
}

const cautionsOf = ({ metadata }: Advice) => metadata.recommendations.filter(({ kind }) => kind === 'pitfall');

describe('the failed runs of a task', () => {
  it.each(cases)(
    'never silence the way that works, nor are they shown as something to run: $task',
    async (testCase) => {
      const advice = await adviceAfter([succeeded(testCase), ...failed(testCase)], testCase);

      expect(toldOf(advice.told, [testCase.way])).toEqual([testCase.way]);
      expect(toldOf(advice.metadata.recommendations[0]?.text ?? '', [testCase.way])).toEqual([testCase.way]);
      expect(toldOf(advice.told, testCase.wrong)).toEqual([]);
    },
  );

  it.each(cases)('leave no caution beside the working example of this very task: $task', async (testCase) => {
    const advice = await adviceAfter([...failed(testCase), succeeded(testCase)], testCase);

    expect(cautionsOf(advice)).toEqual([]);
    expect(toldOf(advice.told, [testCase.way])).toEqual([testCase.way]);
  });

  it.each(cases)('are told as one caution at most, in words, where nothing has worked yet: $task', async (testCase) => {
    const advice = await adviceAfter(failed(testCase), testCase);

    expect(cautionsOf(advice).length).toBeLessThanOrEqual(1);
    expect(toldOf(advice.told, testCase.wrong)).toEqual([]);
  });

  it('are told last, after what other tasks of the kind can give', async () => {
    const testCase = cases[0] as Case;
    const alike = { ...testCase, task: 'Replace tabs by two blanks in all Ruby files below /srv/app' };
    const advice = await adviceAfter([succeeded(alike), ...failed(testCase)], testCase);

    const kinds = advice.metadata.recommendations.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'pitfall').length).toBeLessThanOrEqual(1);
    expect(kinds.slice(0, -1)).not.toContain('pitfall');
    expect(toldOf(advice.told, testCase.wrong)).toEqual([]);
  });
});

describe('a mistake on the way of a run that got there', () => {
  it.each(cases)('is not shown as something to run: $task', async (testCase) => {
    const steps = [...testCase.bad.slice(0, 1), testCase.good];
    const advice = await adviceAfter([{ task: testCase.task, agent: testCase.agent, steps }], testCase);

    expect(toldOf(advice.told, [testCase.way])).toEqual([testCase.way]);
    expect(toldOf(advice.told, testCase.wrong)).toEqual([]);
  });
});

describe('advice about form', () => {
  it('says what to do and shows no code fence', async () => {
    const tenantId = unique('form');
    const rejected = 'bash: syntax error near unexpected token `newline`';
    const tasks = ['Show the routes', 'Mount a disk', 'Print the calendar', 'Rotate a key', 'Stop the mail queue'];
    const runs = tasks.map(
      (task): Run => ({
        task,
        steps: [
          [`\`\`\`bash\nrun --first '${task}'\n\`\`\``, rejected],
          [`\`\`\`\nrun --then '${task}'\n\`\`\``, rejected],
        ],
        success: false,
      }),
    );
    await learn(account.client, tenantId, [...runs, succeeded(cases[0] as Case)]);

    const { told } = await ask(account.client, tenantId, cases[0]?.task ?? '', 'shell');

    expect(told).toContain(cases[0]?.way);
    expect(told).not.toContain('```');
  });

  it('leaves an example bare: no back-ticks around it', async () => {
    const [testCase] = cases as [Case];
    const fenced: Run = { ...succeeded(testCase), steps: [[`\`\`\`bash\n${testCase.good[0]}\n\`\`\``, 'exit code 0']] };
    const { told } = await adviceAfter([fenced], testCase);

    expect(told).toContain(testCase.good[0]);
    expect(told).not.toContain('```');
    expect(told).not.toContain(`\`${testCase.good[0]}`);
  });
});
