import { type Account, createAccounts, unique } from '../support/accounts.js';
import type { ErrorBody, JobRecord, Upload, ValidationErrorBody } from '../support/contract.js';
import { eventually, inParallel } from '../support/eventually.js';
import { lessons, lessonUpload } from '../support/uploads.js';

const accounts = createAccounts();
const microseconds = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/;
let account: Account;

beforeAll(async () => {
  account = await accounts.open();
});

it('a job that was accepted answers processing from the very moment of the 202: there is no window of 404', async () => {
  const tenantId = unique('burst');
  const uploads = Array.from({ length: 60 }, (_, index) => lessonUpload(`${tenantId}-${index % 5}`, lessons.sql));

  const askAtOnce = async (upload: Upload) => {
    const { job_id } = await account.client.store(upload);
    const answer = await account.client.request<JobRecord>('GET', `/knowledge_status/${job_id}`);
    return { answer, jobId: job_id };
  };
  const { seen, processing } = await eventually(
    async () => {
      const seen = await inParallel(uploads, 12, askAtOnce);
      expect(new Set(seen.map(({ answer }) => answer.status))).toEqual(new Set([200]));
      const processing = seen.filter(({ answer }) => answer.body.status === 'processing');
      return processing.length > 0 ? { seen, processing } : undefined;
    },
    { what: 'of so many jobs one is asked for before it has ended' },
  );

  for (const { answer, jobId } of processing) {
    expect(answer.body).toMatchObject({ job_id: jobId, message: expect.stringMatching(/./) });
    expect(answer.body).not.toHaveProperty('completed_at');
    // While a job is processing the answer has Retry-After.
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  }
  await inParallel(seen, 8, ({ jobId }) => account.client.jobEnded(jobId));
});

it('goes from processing to completed and never back', async () => {
  const { job_id } = await account.client.store(lessonUpload(unique('job'), lessons.logs));
  const seen: string[] = [];
  await eventually(
    async () => {
      seen.push((await account.client.job(job_id)).status);
      return seen.filter((status) => status !== 'processing').length > 20 || undefined;
    },
    { what: 'the job has ended for a while', everyMs: 25 },
  );

  expect(seen.slice(seen.indexOf('completed')).every((status) => status === 'completed')).toBe(true);
  expect(seen).not.toContain('failed');
  expect(seen.at(-1)).toBe('completed');
});

it('a completed record is flat: status, message, job_id, created_at, started_at, completed_at, insights_stored, outcome', async () => {
  const before = new Date(Date.now() - 60_000).toISOString();
  const { job_id } = await account.client.store(lessonUpload(unique('job'), lessons.logs));

  const job = await account.client.jobEnded(job_id);

  expect(job).toEqual({
    status: 'completed',
    message: expect.stringMatching(/./),
    job_id,
    created_at: expect.stringMatching(microseconds),
    started_at: expect.stringMatching(microseconds),
    completed_at: expect.stringMatching(microseconds),
    insights_stored: expect.any(Number),
    outcome: 'stored',
  });
  expect(job.insights_stored).toBeGreaterThanOrEqual(1);
  expect(job.insights_stored).toBeLessThanOrEqual(3);
  const times = [before, job.created_at, job.started_at, job.completed_at];
  expect([...times].sort()).toEqual(times);
});

it('an ended job never changes', async () => {
  const job = await account.client.learn(lessonUpload(unique('job'), lessons.archive));

  expect(await account.client.job(job.job_id)).toEqual(job);
});

it('completed means findable', async () => {
  const tenants = Array.from({ length: 6 }, () => unique('findable'));
  const { task, command } = lessons.ports;

  const responses = await inParallel(tenants, 3, async (tenantId) => {
    await account.client.learn(lessonUpload(tenantId, lessons.ports));
    return (await account.client.enhance({ tenant_id: tenantId, input_text: task })).response;
  });

  expect(responses.filter((response) => response.includes(command))).toHaveLength(tenants.length);
});

it.each([
  ['no turns', []],
  ['a trivial turn', [{ turn: 1, inputs: '', decision: '' }]],
])('an interaction with %s completes with nothing_to_learn', async (_, turns) => {
  const job = await account.client.learn({ tenant_id: unique('trivial'), query: 'Say hello', turns });

  expect(job).toMatchObject({ status: 'completed', outcome: 'nothing_to_learn', insights_stored: 0 });
});

it.each([
  ['was never issued', `job_${'0'.repeat(56)}`],
  ['is malformed', 'job_x'],
  ['is something else entirely', '42'],
  ['contains what has to be encoded', encodeURIComponent('../../../etc/passwd\u0000 é')],
  ['is very long', 'j'.repeat(5000)],
])('an id that %s is a 404', async (_, id) => {
  const answer = await account.client.request<ErrorBody>('GET', `/knowledge_status/${id}`);

  expect(answer.status).toBe(404);
  expect(answer.body).toEqual({
    error: 'job_not_found',
    message: expect.stringMatching(/./),
    request_id: answer.headers.get('x-request-id'),
  });
});

it('an id that belongs to another account, or was altered, is a 404', async () => {
  const stranger = await accounts.open();
  const { job_id } = await account.client.learn(lessonUpload(unique('job'), lessons.sql));
  const altered = job_id.replace(/.$/, (last) => (last === '0' ? '1' : '0'));

  expect((await stranger.client.request('GET', `/knowledge_status/${job_id}`)).status).toBe(404);
  expect((await account.client.request('GET', `/knowledge_status/${altered}`)).status).toBe(404);
  expect((await account.client.request('GET', `/knowledge_status/${job_id}`)).status).toBe(200);
});

it('any key of the account may ask', async () => {
  const second = await accounts.open(account.account);
  const { job_id } = await account.client.store(lessonUpload(unique('job'), lessons.sql));

  expect((await second.client.request('GET', `/knowledge_status/${job_id}`)).status).toBe(200);
});

it.each(['%', '%zz', '%ff', '%c3%28', 'job_%'])('a path that cannot be decoded is a 422: %s', async (id) => {
  const answer = await account.client.request<ValidationErrorBody>('GET', `/knowledge_status/${id}`);

  expect(answer.status).toBe(422);
  expect(answer.body.detail[0]?.loc[0]).toBe('path');
});
