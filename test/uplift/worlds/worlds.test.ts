import { inParallel } from '../../support/eventually.js';
import { missingForSandbox } from '../sandbox.js';
import type { Task, World } from '../world.js';
import { deskWorld } from './desk.js';
import { sandboxParent, shellWorld } from './shell.js';
import { sqlWorld } from './sql.js';

async function isSolved(world: World, task: Task, actions: readonly string[]): Promise<boolean> {
  const attempt = await world.begin(task);
  try {
    for (const action of actions) if ((await attempt.act(action)).solved) return true;
    return false;
  } finally {
    await attempt.end();
  }
}

/** What of these tasks is not as it should be. */
async function verdicts(world: World, actionsFor: (task: Task) => readonly string[], expected: boolean) {
  const ends = await inParallel(world.tasks, 2, async (task) => [
    task.id,
    await isSolved(world, task, actionsFor(task)),
  ]);
  return ends.filter(([, solved]) => solved !== expected).map(([id]) => id);
}

/** The solution of another task of the family, or of just any. */
function another(world: World, task: Task): readonly string[] {
  const others = world.tasks.filter((other) => other.id !== task.id);
  return (others.find((other) => other.family === task.family) ?? (others[0] as Task)).solution;
}

const lacks = await missingForSandbox(sandboxParent());
if (lacks !== undefined) console.warn(`The shell's tasks are not tested: ${lacks}`);

describe.each([sqlWorld, deskWorld, ...(lacks === undefined ? [shellWorld] : [])])('the world of $name', (world) => {
  it('has about forty tasks, most of them in families', () => {
    expect(world.tasks.length).toBeGreaterThanOrEqual(36);
    expect(new Set(world.tasks.map(({ id }) => id)).size).toBe(world.tasks.length);
    expect(new Set(world.tasks.map(({ text }) => text)).size).toBe(world.tasks.length);
    expect(new Set(world.tasks.map(({ family }) => family)).size).toBeLessThan(world.tasks.length / 2);
  });

  it('is content with the solution of each task', async () => {
    expect(await verdicts(world, ({ solution }) => solution, true)).toEqual([]);
  });

  it('is not content with nothing, nor with the solution of another task of the family', async () => {
    expect(await verdicts(world, () => [''], false)).toEqual([]);
    expect(await verdicts(world, (task) => another(world, task), false)).toEqual([]);
  });

  it('finds the action in a reply, with or without a fence', () => {
    const [action] = (world.tasks[0] as Task).solution as [string];
    expect(world.readAction(`\`\`\`text\n${action}\n\`\`\`\nThis does it.`)).toBe(action);
    expect(world.readAction(`${action}\n`)).toBe(action);
  });
});

describe('the world of sql', () => {
  const [task] = sqlWorld.tasks as [Task];
  const resultOf = async (sql: string) => (await (await sqlWorld.begin(task)).act(sql)).steps[0]?.result;

  it.each(["ATTACH DATABASE 'elsewhere.db' AS x", "VACUUM INTO 'elsewhere.db'", 'PRAGMA journal_mode'])(
    'does not let a query out of its database: %s',
    async (sql) => {
      expect(await resultOf(sql)).toMatch(/^Error: /);
    },
  );

  it('ends a query that has no end', async () => {
    const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT SUM(i) FROM n';
    expect(await resultOf(endless)).toBe('Error: the query took too long');
  });
});

describe('the world of the desk', () => {
  it('forgives one refused call and not two', async () => {
    const task = deskWorld.tasks[0] as Task;
    const [verify, refund, close] = task.solution as [string, string, string];
    expect(await isSolved(deskWorld, task, [refund, verify, refund, close])).toBe(true);
    expect(await isSolved(deskWorld, task, [task.solution.join('\n')])).toBe(true);
    const attempt = await deskWorld.begin(task);
    expect(await attempt.act(refund)).toMatchObject({ ended: false });
    expect(await attempt.act('I would rather talk')).toMatchObject({ ended: true, solved: false });
  });
});
