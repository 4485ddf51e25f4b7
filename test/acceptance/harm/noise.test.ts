import { type Account, createAccounts, unique } from '../../support/accounts.js';
import { type Advice, ask, learn, type Run, times, toldOf } from './advice.js';

const accounts = createAccounts();
let account: Account;

beforeAll(async () => {
  account = await accounts.open();
});

const task = 'Export the invoices of March as one PDF';
const deed = 'invoices export --month 2026-03 --format pdf --merge';
const worked: Run = { task, steps: [[deed, 'wrote march.pdf']], agent: 'office' };
const failedSilently: Run = {
  task,
  steps: [['invoices export --month 2026-03', 'wrote 14 files']],
  success: false,
  agent: 'office',
};

async function adviceAfter(runs: readonly Run[], input = task): Promise<Advice> {
  const tenantId = unique('noise');
  await learn(account.client, tenantId, runs);
  return ask(account.client, tenantId, input, runs[0]?.agent);
}

/** Every claim of how many runs there were or how they ended. */
function countsIn(told: string): { of: number[]; worked: number[] } {
  const numbers = (pattern: RegExp) => [...told.matchAll(pattern)].map(([, number]) => Number(number));
  return {
    of: numbers(/\bof (?:the |these |all )?(\d+) (?:runs?|attempts?)\b/gi),
    worked: [
      ...numbers(/\[what worked · (\d+) runs?\]/gi),
      ...numbers(/\b(\d+) (?:runs? )?(?:worked|succeeded)\b/gi),
      ...numbers(/\bruns?,? (\d+) (?:worked|succeeded)\b/gi),
    ],
  };
}

describe('runs that ended differently', () => {
  it.each([
    ['all failed without an error', times(3, failedSilently)],
    ['some failed without an error', [...times(3, worked), ...times(4, failedSilently)]],
    ['one failed at its only step', [{ ...failedSilently, steps: [['thinking …', '']] } satisfies Run]],
    ['all did the same', [...times(2, worked), ...times(2, { ...worked, success: false })]],
  ] as [string, Run[]][])('are not told with what nobody can use: %s', async (_how, runs) => {
    const { told } = await adviceAfter(runs);

    expect(told).not.toMatch(/(do|does|did) not (show|say|tell) why/i);
    expect(told).not.toMatch(/only it (used|did|had)/i);
  });

  it.each([
    [3, 4],
    [1, 6],
    [5, 1],
  ])('are counted without contradiction: %i worked, %i failed', async (good, bad) => {
    const { told, metadata } = await adviceAfter([...times(good, worked), ...times(bad, failedSilently)]);

    expect(toldOf(told, [deed])).toEqual([deed]);
    const counts = countsIn(told);
    expect(counts.worked.filter((count) => count > good)).toEqual([]);
    expect(counts.of.filter((count) => count > good + bad)).toEqual([]);
    // Two figures about the same runs are the same figure.
    expect(new Set(counts.worked).size).toBeLessThanOrEqual(1);
    expect(metadata.recommendations.filter(({ support }) => support > good + bad)).toEqual([]);
  });

  it('support what is told with the runs that did it, and with no others', async () => {
    const lucky: Run = { ...worked, steps: [['invoices print --month 2026-03 --to march.pdf', 'ok']] };
    const { metadata } = await adviceAfter([...times(4, worked), lucky]);

    const supportOf = (text: string) =>
      metadata.recommendations.filter((one) => one.text.includes(text)).map(({ support }) => support);
    expect(supportOf('--merge')).toEqual([4]);
    expect(supportOf('invoices print').filter((support) => support !== 1)).toEqual([]);
    expect(metadata.recommendations[0]?.text).toContain('--merge');
  });
});

describe('a count', () => {
  it('does not silently end at a limit of the search', async () => {
    const { metadata } = await adviceAfter(times(70, worked));

    const first = metadata.recommendations[0];
    expect(first?.text).toContain(deed);
    const label = /(?:(at least|over|more than) )?(\d+)(\+?) runs?/.exec(first?.text ?? '');
    const isHedged = Boolean(label?.[1] || label?.[3]);
    if (!isHedged) expect(first?.support).toBe(70);
  });
});

describe('a quotation', () => {
  const reason = 'its colour table refers to an ink that is not installed, '.repeat(8);
  const long = `fatal: the profile of the printer is not readable because ${reason}so nothing was printed`;

  it.each([
    [
      'of an error on the way',
      [{ ...worked, steps: [['invoices export --all', long], ...worked.steps] } satisfies Run],
    ],
    ['of the last error', times(2, { ...failedSilently, steps: [['invoices export --all', long]] })],
    [
      'of a long task',
      [
        {
          ...worked,
          task: `${task}, and ${'mind that every invoice has its number, '.repeat(12)}please`,
        } satisfies Run,
      ],
    ],
  ] as [string, Run[]][])('is never cut: %s', async (_of, runs) => {
    const { told } = await adviceAfter(runs, runs[0]?.task);

    expect(told).not.toMatch(/(…|\.\.\.)["”»'`]/);
    expect(told).not.toMatch(/["“«](…|\.\.\.)/);
    expect(told.split('\n').filter((line) => line.length > 600)).toEqual([]);
  });

  it('is not needed for an example: a long one that works is told whole or not at all', async () => {
    const columns = Array.from(
      { length: 30 },
      (_, index) => `SUM(CASE WHEN month = ${index} THEN amount END) AS m${index}`,
    );
    const query = `SELECT region, ${columns.join(', ')} FROM sales GROUP BY region;`;
    const pivot = 'Show the sales of each region with one column per month';
    const { told } = await adviceAfter([{ task: pivot, steps: [[query, '9 rows']], agent: 'sql' }], pivot);

    const flat = told.replace(/\s+/g, ' ');
    if (flat.includes('SUM(CASE WHEN month = 0')) expect(flat).toContain(query);
  });
});
