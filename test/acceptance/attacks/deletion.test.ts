import { type Account, createAccounts, unique } from '../../support/accounts.js';
import type { ErrorBody } from '../../support/contract.js';
import { inParallel } from '../../support/eventually.js';
import { lessons, lessonUpload } from '../../support/uploads.js';

/** The default of the configuration; a target may have less. */
const mostRemembered = 1000;

const accounts = createAccounts();
let account: Account;

beforeAll(async () => {
  account = await accounts.open();
});

/** Different intents that are embedded as one text, which is what makes thousands of deletions cheap for the caller. */
const intentOf = (number: number) => `Delete the file /srv/data/${number}.log`;

const remove = (tenantId: string, intent: string, more = {}) => {
  const query = new URLSearchParams({ tenant_id: tenantId, intent, similarity_threshold: '0.95', ...more });
  return account.client.request<ErrorBody>('POST', `/delete_by_intent?${query}`);
};

describe('thousands of deletions', () => {
  it('are refused from a limit on, with a way out, and take nothing from other collections', async () => {
    const [tenantId, other] = [unique('flooded'), unique('beside')];
    await account.client.learn(lessonUpload(tenantId, lessons.sql));
    let answers: Awaited<ReturnType<typeof remove>>[] = [];
    for (let sent = 0; sent <= mostRemembered && !answers.some(({ status }) => status === 409); sent += 25) {
      const intents = Array.from({ length: 25 }, (_, number) => intentOf(sent + number));
      answers = await inParallel(intents, 8, (intent) => remove(tenantId, intent));
      expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    }

    const refused = await remove(tenantId, lessons.sql.task);

    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({
      error: 'too_many_deletions',
      message: expect.stringMatching(/remembers \d+ deletions.*erase the collection/i),
    });
    const seen = await account.client.enhance({ tenant_id: tenantId, input_text: lessons.sql.task });
    expect(seen.response).toContain(lessons.sql.command);

    expect((await remove(tenantId, intentOf(7))).status).toBe(200);
    expect((await remove(tenantId, lessons.sql.task, { dry_run: 'true' })).status).toBe(200);
    expect((await remove(other, lessons.sql.task)).status).toBe(200);
    expect((await account.client.learn(lessonUpload(tenantId, lessons.ports))).outcome).toBe('stored');
    await account.client.erase(tenantId);
    expect((await remove(tenantId, lessons.sql.task)).status).toBe(200);
  });

  it('of one intent count as one', async () => {
    const tenantId = unique('repeated');
    const repeated = Array.from({ length: 60 }, () => lessons.logs.task);

    const answers = await inParallel(repeated, 8, (intent) => remove(tenantId, intent));

    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  });
});
