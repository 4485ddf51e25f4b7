import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { codeIn, family, type Task, type World } from '../world.js';
import type { SqlAnswer, SqlRequest } from './sqlite-process.js';
import { type Customer, type Repair, schema, workshop } from './workshop.js';

type Cell = string | number | null;

interface SqlTask extends Task {
  /** What the last query must give; in any order unless the task wants one. */
  rows?: Cell[][];
  ordered?: true;
  /** The tables that must have changed, as they must be. */
  after?: Record<string, unknown[][]>;
}

const { customers, bikes, mechanics, states, repairs, parts } = workshop;
const program = fileURLToPath(new URL('./sqlite-process.js', import.meta.url));
const patienceMs = 5_000;

const state = (label: string) => states.find(([, name]) => name === label)?.[0] as number;
const done = repairs.filter((repair) => repair[3] === state('done'));
const kindOf = (repair: Repair) => bikes.find(([id]) => id === repair[1])?.[2];
const ownerOf = (repair: Repair) => bikes.find(([id]) => id === repair[1])?.[1];
const euros = (some: readonly Repair[]) => some.reduce((sum, repair) => sum + repair[4], 0) / 100;
const days = (repair: Repair) => (Date.parse(repair[6] as string) - Date.parse(repair[5])) / 86_400_000;
const namesOf = (which: (customer: Customer) => boolean) => customers.filter(which).map(([, name]) => [name]);
const most = <T>(items: readonly T[], score: (item: T) => number) =>
  items.reduce((best, item) => (score(item) > score(best) ? item : best));

const byState = 'repairs r JOIN states s ON s.id = r.state_id';
const doneOnes = `${byState} WHERE s.label = 'done'`;
const withBikes = `${byState} JOIN bikes b ON b.id = r.bike_id`;

const tasks: SqlTask[] = [
  ...family(
    'customers-of-city',
    'Bern; Lyon; Oslo; Porto',
    ['How many customers live in {0}?', 'Count the customers from {0}.'],
    (city) => ({
      solution: [`SELECT COUNT(*) FROM customers WHERE city = '${city}'`],
      rows: [[customers.filter((customer) => customer[2] === city).length]],
    }),
  ),
  ...family(
    'repairs-in-state',
    'open; waiting; done; cancelled',
    ['How many repairs are {0}?', 'Tell the number of repairs whose state is {0}.'],
    (label) => ({
      solution: [`SELECT COUNT(*) FROM ${byState} WHERE s.label = '${label}'`],
      rows: [[repairs.filter((repair) => repair[3] === state(label)).length]],
    }),
  ),
  ...family(
    'income',
    '2022; 2023; 2024; 2024-03',
    ['What is the income in euros from repairs that were closed in {0}?', 'Total income in {0}, in euros.'],
    // What the house means by income: cancelled repairs are closed too, and bring nothing.
    (when) => ({
      solution: [`SELECT SUM(r.cents) / 100.0 FROM ${doneOnes} AND r.closed LIKE '${when}%'`],
      rows: [[euros(done.filter((repair) => repair[6]?.startsWith(when)))]],
    }),
  ),
  ...family(
    'busiest-mechanic',
    '2022; 2023; 2024',
    ['Which mechanic finished the most repairs in {0}?', 'Name the busiest mechanic of {0}.'],
    (year) => ({
      solution: [
        `SELECT m.name FROM ${byState} JOIN mechanics m ON m.id = r.mechanic_id WHERE s.label = 'done' AND r.closed LIKE '${year}%' GROUP BY m.id ORDER BY COUNT(*) DESC LIMIT 1`,
      ],
      rows: [[most(mechanics, ([id]) => done.filter((one) => one[2] === id && one[6]?.startsWith(year)).length)[1]]],
    }),
  ),
  ...family(
    'without-bike',
    'Bern; Lyon; Oslo',
    ['Names of the customers in {0} who own no bike.', 'Who in {0} has no bike? Give the names.'],
    (city) => ({
      solution: [`SELECT name FROM customers WHERE city = '${city}' AND id NOT IN (SELECT customer_id FROM bikes)`],
      rows: namesOf(([id, , home]) => home === city && !bikes.some((bike) => bike[1] === id)),
    }),
  ),
  ...family(
    'average-by-kind',
    'city; race; cargo; mountain',
    [
      'Average price in euros of finished repairs of {0} bikes, to two digits.',
      'What does a finished repair of a {0} bike cost on average? Euros, two digits.',
    ],
    (kind) => ({
      solution: [
        `SELECT ROUND(AVG(r.cents) / 100.0, 2) FROM ${withBikes} WHERE s.label = 'done' AND b.kind = '${kind}'`,
      ],
      rows: [[euros(done.filter((one) => kindOf(one) === kind)) / done.filter((one) => kindOf(one) === kind).length]],
    }),
  ),
  ...family(
    'low-stock',
    '10; 20; 30',
    [
      'List the names of parts with fewer than {0} in stock, by name.',
      'Which parts have a stock below {0}? Names in alphabetical order.',
    ],
    (limit) => ({
      solution: [`SELECT name FROM parts WHERE stock < ${limit} ORDER BY name`],
      rows: parts.flatMap(([, name, stock]) => (stock < Number(limit) ? [[name]] : [])).sort(),
      ordered: true as const,
    }),
  ),
  ...family(
    'raise-price',
    'saddle, 10; lamp, 20; tyre, 5',
    ['Raise the price of the part {0} by {1} percent.', 'The {0} becomes {1} % more expensive. Update it.'],
    (part, percent) => {
      const factor = (100 + Number(percent)) / 100;
      const after = parts.map(([id, name, stock, cents]) => {
        return [id, name, stock, name === part ? Math.round(cents * factor) : cents];
      });
      return {
        solution: [`UPDATE parts SET cents = ROUND(cents * ${factor}) WHERE name = '${part}'`],
        after: { parts: after },
      };
    },
  ),
  ...family(
    'purge-cancelled',
    '2023-01-01; 2023-07-01; 2024-01-01',
    [
      'Delete the cancelled repairs that were opened before {0}.',
      'Remove all repairs opened before {0} that are cancelled.',
    ],
    (date) => ({
      solution: [
        `DELETE FROM repairs WHERE opened < '${date}' AND state_id = (SELECT id FROM states WHERE label = 'cancelled')`,
      ],
      after: { repairs: repairs.filter((one) => !(one[3] === state('cancelled') && one[5] < date)) },
    }),
  ),
  ...family(
    'long-repairs',
    '14; 21; 28',
    [
      'How many finished repairs took longer than {0} days?',
      'Count the repairs that are done and were open for more than {0} days.',
    ],
    (limit) => ({
      solution: [`SELECT COUNT(*) FROM ${doneOnes} AND julianday(r.closed) - julianday(r.opened) > ${limit}`],
      rows: [[done.filter((one) => days(one) > Number(limit)).length]],
    }),
  ),
  ...family(
    'both-kinds',
    'city, race; race, mountain; city, cargo',
    [
      'Names of customers who own a {0} bike and a {1} bike.',
      'Which customers have both a {0} and a {1} bike? Names only.',
    ],
    (one, other) => ({
      solution: [
        `SELECT name FROM customers WHERE id IN (SELECT customer_id FROM bikes WHERE kind = '${one}') AND id IN (SELECT customer_id FROM bikes WHERE kind = '${other}')`,
      ],
      rows: namesOf(([id]) => [one, other].every((kind) => bikes.some((bike) => bike[1] === id && bike[2] === kind))),
    }),
  ),
  ...family('best-customer', '', ['Which customer has paid the most for finished repairs? Only the name.'], () => ({
    solution: [
      `SELECT c.name FROM ${withBikes} JOIN customers c ON c.id = b.customer_id WHERE s.label = 'done' GROUP BY c.id ORDER BY SUM(r.cents) DESC LIMIT 1`,
    ],
    rows: [[most(customers, ([id]) => euros(done.filter((one) => ownerOf(one) === id)))[1]]],
  })),
  ...family('new-part', '', ['Add a new part, a basket for 24.50 euros, 6 of them in stock.'], () => ({
    solution: ["INSERT INTO parts (name, stock, cents) VALUES ('basket', 6, 2450)"],
    after: { parts: [...parts, [parts.length + 1, 'basket', 6, 2450]] },
  })),
  ...family('newest-customer', '', ['What is the name of the customer who joined last?'], () => ({
    solution: ['SELECT name FROM customers ORDER BY joined DESC LIMIT 1'],
    rows: [[most(customers, ([, , , joined]) => Date.parse(joined))[1]]],
  })),
  ...family('idle-bikes', '', ['How many bikes have never been in for a repair?'], () => ({
    solution: ['SELECT COUNT(*) FROM bikes WHERE id NOT IN (SELECT bike_id FROM repairs)'],
    rows: [[bikes.filter(([id]) => !repairs.some((one) => one[1] === id)).length]],
  })),
];

export const sqlWorld: World = {
  name: 'sql',
  system: `You are a SQL agent at a bicycle workshop. Answer with exactly one SQLite statement that does the task, and nothing else.\n\n${schema}`,
  tasks,
  mostReplies: 1,
  readAction: codeIn,
  async begin(task) {
    return {
      async act(sql) {
        const answer = await run(sql);
        const result = answer.error === undefined ? showRows(answer.rows) : `Error: ${answer.error}`;
        return {
          steps: [{ action: sql, result }],
          ended: false,
          solved: answer.error === undefined && isRight(task as SqlTask, answer),
        };
      },
      async end() {},
    };
  },
};

function isRight({ rows, ordered, after }: SqlTask, answer: SqlAnswer): boolean {
  const tables = { ...workshop, ...after };
  if (JSON.stringify(answer.tables) !== JSON.stringify(tables)) return false;
  return rows === undefined || comparable(answer.rows, ordered) === comparable(rows, ordered);
}

/** Numbers to the cent. */
function comparable(rows: readonly (readonly unknown[])[], ordered = false): string {
  const lines = rows.map((row) =>
    JSON.stringify(row.map((cell) => (typeof cell === 'number' ? cell.toFixed(2) : (cell as string | null)))),
  );
  return (ordered ? lines : lines.sort()).join('\n');
}

function showRows(rows: readonly unknown[][]): string {
  if (rows.length === 0) return '(no rows)';
  return (
    rows
      .slice(0, 10)
      .map((row) => row.join(' | '))
      .join('\n') + (rows.length > 10 ? `\n… ${rows.length} rows` : '')
  );
}

/** In a process of its own, so that a query without end has one. */
function run(sql: string): Promise<SqlAnswer> {
  const request: SqlRequest = { schema, tables: workshop, sql };
  return new Promise((resolve) => {
    const options = { timeout: patienceMs, killSignal: 'SIGKILL', maxBuffer: 8_000_000 } as const;
    const child = execFile(process.execPath, [program], options, (error, stdout) => {
      if (!error) resolve(JSON.parse(stdout) as SqlAnswer);
      else resolve({ rows: [], tables: {}, error: error.killed ? 'the query took too long' : error.message });
    });
    child.stdin?.end(JSON.stringify(request));
  });
}
