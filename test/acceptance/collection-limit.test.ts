import { type Account, createAccounts } from '../support/accounts.js';
import type { JobRecord } from '../support/contract.js';
import { inParallel } from '../support/eventually.js';
import { collectionLimit } from '../support/target.js';
import { lessons, lessonUpload } from '../support/uploads.js';

/** An account that is full is also the way to see a job fail from outside. */
const allowed = collectionLimit();

const accounts = createAccounts();
let account: Account;
let refused: JobRecord;

beforeAll(async () => {
  account = await accounts.open();
  const named = Array.from({ length: allowed }, (_, index) => `workflow-${index}`);
  await inParallel(named, 8, async (tenantId) => {
    await account.client.enhance({ tenant_id: `only-read-${tenantId}`, input_text: 'x' });
    await account.client.deleteByIntent({ tenant_id: `only-deleted-${tenantId}`, intent: 'x' });
  });
  const acknowledged = await inParallel(named, 8, (tenantId) =>
    account.client.store(lessonUpload(tenantId, lessons.sql)),
  );
  const ended = await inParallel(acknowledged, 8, ({ job_id }) => account.client.jobEnded(job_id));
  const unsuccessful = ended.filter(({ status }) => status !== 'completed');
  if (unsuccessful.length > 0) throw new Error(`Within the limit, and yet ${JSON.stringify(unsuccessful[0])}`);
  refused = await account.client.learn(lessonUpload('one-too-many', lessons.sql));
});

describe(`an account may have ${allowed} collections`, () => {
  it(`reading or deleting never creates one: after ${2 * allowed} of those, ${allowed} can still be written`, () => {
    expect(refused.status).toBe('failed');
  });

  it('the write that would exceed it fails its job with too_many_collections', async () => {
    expect(await accounts.operator.openError(refused.error_message as string)).toContain('too_many_collections');
  });

  it('its message tells the caller so in clear, with the limit', () => {
    expect(refused.message).toContain(`limit of ${allowed} collections`);
  });

  it('collections that exist still take uploads', async () => {
    const job = await account.client.learn(lessonUpload('workflow-7', lessons.archive));

    expect(job).toMatchObject({ status: 'completed', outcome: 'stored' });
  });
});

describe('the record of a job that failed', () => {
  it('is flat, with failed_at, error_message and note', () => {
    expect(refused).toMatchObject({
      status: 'failed',
      message: expect.any(String),
      job_id: expect.stringMatching(/^job_/),
      created_at: expect.stringMatching(microseconds),
      failed_at: expect.stringMatching(microseconds),
      error_message: expect.any(String),
      note: expect.any(String),
    });
    expect(refused).not.toHaveProperty('completed_at');
    expect(refused).not.toHaveProperty('insights_stored');
    expect(refused).not.toHaveProperty('outcome');
  });

  it('has an error_message that is sealed: base64 that tells nothing', () => {
    const sealed = refused.error_message as string;

    expect(sealed).toMatch(/^[A-Za-z0-9+/]+={0,2}$/);
    expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toMatch(/too_many|collection/i);
  });

  it('has a note that tells the caller to pass error_message and job_id to the operators', () => {
    expect(refused.note).toMatch(/error_message/);
    expect(refused.note).toMatch(/job_id/);
    expect(refused.note).toMatch(/operator/i);
  });

  it('also carries a copy of itself under its job_id', () => {
    const { [refused.job_id]: copy, ...record } = refused as unknown as Record<string, unknown>;

    expect(copy).toEqual(record);
  });

  it('never changes, and reads the same in every poll', async () => {
    expect(await account.client.job(refused.job_id)).toEqual(refused);
  });
});

const microseconds = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/;
