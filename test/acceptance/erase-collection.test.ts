import { setTimeout as sleep } from 'node:timers/promises';

import { type Account, createAccounts, unique } from '../support/accounts.js';
import type { ErrorBody, ValidationErrorBody } from '../support/contract.js';
import { inParallel } from '../support/eventually.js';
import { lessons, lessonUpload } from '../support/uploads.js';

const accounts = createAccounts();
let account: Account;

beforeAll(async () => {
  account = await accounts.open();
});

async function learnedCollection(tenantId = unique('erase')): Promise<{ tenantId: string; insights: number }> {
  const jobs = await inParallel(Object.values(lessons), 4, (lesson) =>
    account.client.learn(lessonUpload(tenantId, lesson)),
  );
  return { tenantId, insights: jobs.reduce((sum, { insights_stored }) => sum + (insights_stored ?? 0), 0) };
}

async function tasksAnswered(tenantId: string): Promise<string[]> {
  const tasks = Object.values(lessons).map(({ task }) => task);
  const answers = await inParallel(tasks, 4, (task) =>
    account.client.enhance({ tenant_id: tenantId, input_text: task }),
  );
  return tasks.filter((task, index) => answers[index]?.response !== task);
}

describe('DELETE /collections', () => {
  it('erases all of a collection and nothing of another', async () => {
    const [one, other] = [await learnedCollection(), await learnedCollection()];

    expect(await account.client.erase(one.tenantId)).toEqual({
      deleted_count: one.insights,
      status: 'Successfully erased the collection',
    });

    expect(await tasksAnswered(one.tenantId)).toEqual([]);
    expect((await account.client.erase(one.tenantId)).deleted_count).toBe(0);
    expect(await tasksAnswered(other.tenantId)).toHaveLength(Object.keys(lessons).length);
  });

  it('erases the default collection by the key of the account', async () => {
    const { key, client } = await accounts.open();
    await client.learn(lessonUpload(key, lessons.sql));

    expect((await client.erase(key)).deleted_count).toBeGreaterThanOrEqual(1);
    expect((await client.enhance({ tenant_id: key, input_text: lessons.sql.task })).response).toBe(lessons.sql.task);
  });

  it('takes along what was accepted before it and is processed after it: those jobs end deleted', async () => {
    const tenantId = unique('pending');
    const uploads = Array.from({ length: 60 }, (_, index) =>
      lessonUpload(tenantId, Object.values(lessons)[index % 4] ?? lessons.sql),
    );
    const acknowledged = await inParallel(uploads, 16, (upload) => account.client.store(upload));

    const { deleted_count } = await account.client.erase(tenantId);

    const jobs = await inParallel(acknowledged, 16, ({ job_id }) => account.client.jobEnded(job_id));
    expect(jobs.filter(({ status }) => status !== 'completed')).toEqual([]);
    const stored = jobs.filter(({ outcome }) => outcome === 'stored');
    expect(deleted_count).toBeGreaterThanOrEqual(
      stored.reduce((sum, { insights_stored }) => sum + (insights_stored ?? 0), 0),
    );
    for (const job of jobs.filter(({ outcome }) => outcome === 'deleted')) expect(job.insights_stored).toBe(0);
    expect(await tasksAnswered(tenantId)).toEqual([]);
    expect((await account.client.erase(tenantId)).deleted_count).toBe(0);
  });

  it('keeps what is uploaded afterwards', async () => {
    const { tenantId } = await learnedCollection();
    await account.client.erase(tenantId);

    const { insights } = await learnedCollection(tenantId);

    expect(await tasksAnswered(tenantId)).toHaveLength(Object.keys(lessons).length);
    expect((await account.client.erase(tenantId)).deleted_count).toBe(insights);
  });

  it('is not in the way of uploads right after it: they are learnt, whatever went on meanwhile', async () => {
    const { tenantId } = await learnedCollection();
    let isOver = false;
    const crossing = inParallel([1, 2], 2, async () => {
      for (; !isOver; await sleep(100)) await account.client.store(lessonUpload(tenantId, lessons.logs));
    });

    for (let round = 0; round < 3; round++) {
      await account.client.erase(tenantId);
      const { job_id } = await account.client.store(lessonUpload(tenantId, lessons.sql));
      expect(await account.client.jobEnded(job_id)).toMatchObject({ status: 'completed', outcome: 'stored' });
    }
    isOver = true;
    await crossing;

    expect(await tasksAnswered(tenantId)).toContain(lessons.sql.task);
  });

  it('of a collection that does not exist deletes nothing', async () => {
    expect((await account.client.erase(unique('nobody'))).deleted_count).toBe(0);
  });

  it('of another account is not possible: the same name is another collection, and its key is refused', async () => {
    const stranger = await accounts.open();
    const { tenantId } = await learnedCollection();

    expect((await stranger.client.erase(tenantId)).deleted_count).toBe(0);
    const query = new URLSearchParams({ tenant_id: account.key, confirm: account.key });
    const answer = await stranger.client.request<ErrorBody>('DELETE', `/collections?${query}`);

    expect([answer.status, answer.body.error]).toEqual([403, 'tenant_forbidden']);
    expect(await tasksAnswered(tenantId)).toHaveLength(Object.keys(lessons).length);
  });

  it.each([
    ['', ['missing', 'missing']],
    ['tenant_id=a', ['missing']],
    ['confirm=a', ['missing']],
    ['tenant_id=a&confirm=b', ['value_error']],
    ['tenant_id=a&confirm=A', ['value_error']],
    ['tenant_id=a&tenant_id=a&confirm=a', ['string_type']],
  ])('needs the tenant_id twice: ?%s is a 422', async (query, types) => {
    const answer = await account.client.request<ValidationErrorBody>('DELETE', `/collections?${query}`);

    expect(answer.status).toBe(422);
    expect(answer.body.detail.map(({ type }) => type)).toEqual(types);
  });

  it('is no POST', async () => {
    const answer = await account.client.request('POST', '/collections?tenant_id=a&confirm=a');

    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'DELETE, PATCH, GET, HEAD']);
  });
});

describe('similarity_threshold 0', () => {
  it('leaves insights that are unlike the intent, and a dry run counts them', async () => {
    const { tenantId, insights } = await learnedCollection();
    const parameters = { tenant_id: tenantId, intent: lessons.sql.task, dry_run: true };

    const counts = [];
    for (const similarity_threshold of [0, 0.5, 1]) {
      const { deleted_count, remaining_count } = await account.client.deleteByIntent({
        ...parameters,
        similarity_threshold,
      });
      counts.push({ similarity_threshold, total: deleted_count + (remaining_count ?? 0) });
    }

    expect(counts).toEqual([0, 0.5, 1].map((similarity_threshold) => ({ similarity_threshold, total: insights })));
  });
});
