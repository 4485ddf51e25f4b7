import { setTimeout as sleep } from 'node:timers/promises';

import { type Account, createAccounts, unique } from '../../support/accounts.js';
import type { Answer } from '../../support/client.js';
import { type DescribedOperation, describedOperations, pathOf } from '../../support/described-operations.js';
import { inParallel } from '../../support/eventually.js';
import { sweep, target } from '../../support/target.js';
import { type Steadiness, watchSteadiness } from './steadiness.js';

const { baseUrl } = target();
let operations: DescribedOperation[];
let account: Account;
let steadiness: Steadiness;

beforeAll(async () => {
  steadiness = await watchSteadiness();
  operations = await describedOperations(baseUrl);
  const flags = ' --scope ask --scope record --scope curate --scope admin';
  account = await createAccounts().open(unique('account'), flags);
});

afterAll(() => steadiness.check());

/** Percent-encoded where a URL needs it. */
const values = [
  '',
  '%20',
  '+',
  '%2f',
  '%00',
  '%0a',
  '%ff',
  '%zz',
  '%e0%a4%a',
  '%ed%a0%80',
  '%F0%9F%AA%A8',
  '__proto__',
  'constructor',
  'null',
  'true',
  '-1',
  '1e400',
  'NaN',
  '*',
  "'%20OR%201=1",
  '{}',
  '[]',
  'a&a',
  'a=b',
  '%3Cscript%3E',
  'x'.repeat(513),
  'x'.repeat(5000),
];

/** Each parameter of each operation with each value, left out, and given twice. */
function requests(): { method: string; path: string; body?: unknown }[] {
  return operations.flatMap(({ template, method, parameters, body }) => {
    const sent = body === undefined ? {} : { body };
    return parameters
      .filter((parameter) => parameter.in !== 'header')
      .flatMap((parameter) => {
        const { name } = parameter;
        const paths = values.map((value) => pathOf(template, parameters, { [name]: value }));
        if (parameter.in === 'query') {
          paths.push(`${pathOf(template, parameters, { [name]: 'a' })}&${name}=b`);
          const others = parameters.filter((other) => other !== parameter);
          paths.push(pathOf(template, others));
        }
        return paths.map((path) => ({ method, path, ...sent }));
      });
  });
}

/** A fast machine may reach the rate limit of the key. The client checks each answer against the description. */
async function answerOf(...request: Parameters<Account['client']['request']>): Promise<Answer> {
  for (;;) {
    const answer = await account.client.request(...request);
    if (answer.status !== 429) return answer;
    await sleep(1000 * Number(answer.headers.get('retry-after')));
  }
}

it('every operation answers by its description to bad values of every parameter', async () => {
  const wrong: object[] = [];
  const all = sweep(requests());
  await inParallel(all, 8, async ({ method, path, body }) => {
    const { status, text } = await answerOf(method, path, body === undefined ? {} : { body });
    if (status >= 500 || status === 401) wrong.push({ method, path, status, text: text.slice(0, 200) });
  });

  expect(all.length).toBeGreaterThan(10);
  expect(wrong).toEqual([]);
});

it('an operation without a body ignores one, and one with a body refuses what is not JSON', async () => {
  for (const { name, method, path, body } of operations) {
    const answer = await answerOf(method, path, {
      ...(method === 'GET' ? {} : { body: 'not JSON' }),
      headers: { 'content-type': 'text/plain' },
    });

    expect([name, answer.status < 500, answer.status === 415]).toEqual([name, true, body !== undefined]);
  }
});
