import { type Account, createAccounts, unique } from '../support/accounts.js';
import type { BatchResult, JobRecord, ValidationErrorBody } from '../support/contract.js';
import { target } from '../support/target.js';
import { lessons, lessonUpload, shellSuccess } from '../support/uploads.js';

const accounts = createAccounts();
let account: Account;

beforeAll(async () => {
  account = await accounts.open();
});

const statusOf = (jobId: string, query: string) =>
  account.client.request<JobRecord>('GET', `/knowledge_status/${jobId}${query}`);

describe('a caller may wait for the end of a job', () => {
  it('one call is enough, and it is answered when the job ends', async () => {
    const { job_id } = await account.client.store(lessonUpload(unique('wait'), lessons.logs));

    const began = performance.now();
    const { status, body, headers } = await statusOf(job_id, '?wait=30');

    expect([status, body.status, headers.get('retry-after')]).toEqual([200, 'completed', null]);
    expect(performance.now() - began).toBeLessThan(25_000);
    expect((await statusOf(job_id, '?wait=30')).body).toEqual(body);
  });

  it('all who wait for one job are answered', async () => {
    const { job_id } = await account.client.store(lessonUpload(unique('wait'), lessons.sql));

    const answers = await Promise.all(Array.from({ length: 50 }, () => statusOf(job_id, '?wait=30')));

    expect(answers.map(({ body }) => body.status)).toEqual(answers.map(() => 'completed'));
  });

  it('and is told that it is processing if it does not end in time', async () => {
    const busy = await accounts.open();
    const tenantId = unique('wait');
    const lines = Array.from({ length: 3000 }, (_, index) =>
      JSON.stringify(shellSuccess(tenantId, `Rename the folder number ${index}`, `mv ${index} ${index}.old`)),
    );
    const batch = await busy.client.request<BatchResult>('POST', '/store_knowledge/batch', { body: lines.join('\n') });

    const began = performance.now();
    const { status, body, headers } = await busy.client.request<JobRecord>(
      'GET',
      `/knowledge_status/${batch.body.results.at(-1)?.job_id}?wait=1`,
    );

    expect(performance.now() - began).toBeGreaterThan(950);
    expect([status, body.status]).toEqual([200, 'processing']);
    expect(headers.get('retry-after')).toMatch(/^\d+$/);
    await busy.client.discard(tenantId);
  });

  it('one who goes away harms nobody', async () => {
    const { job_id } = await account.client.store(lessonUpload(unique('wait'), lessons.archive));
    const url = `${target().baseUrl}/knowledge_status/${job_id}?wait=30`;
    const gone = Array.from({ length: 50 }, () =>
      fetch(url, { headers: { 'x-api-key': account.key }, signal: AbortSignal.timeout(5) }).catch(() => {}),
    );
    await Promise.all(gone);

    expect((await statusOf(job_id, '?wait=30')).body.status).toBe('completed');
  });

  it.each(['?wait=31', '?wait=-1', '?wait=', '?wait=1.5', '?wait=soon', '?wait=%ff', '?wait=1&wait=1'])(
    '%s is a 422',
    async (query) => {
      const { job_id } = await account.client.store(lessonUpload(unique('wait'), lessons.ports));

      const answer = await account.client.request<ValidationErrorBody>('GET', `/knowledge_status/${job_id}${query}`);

      expect(answer.status).toBe(422);
      expect(answer.body.detail).toEqual([
        { loc: ['query', 'wait'], msg: expect.any(String), type: expect.any(String) },
      ]);
    },
  );

  it('nobody waits for what is no job of theirs', async () => {
    const { job_id } = await account.client.store(lessonUpload(unique('wait'), lessons.ports));
    const other = await accounts.open();

    const began = performance.now();
    const answer = await other.client.request('GET', `/knowledge_status/${job_id}?wait=30`);

    expect(answer.status).toBe(404);
    expect(performance.now() - began).toBeLessThan(20_000);
  });
});
