import { type Account, createAccounts, unique } from '../../support/accounts.js';
import { type Client, createClient } from '../../support/client.js';
import type { JobRecord } from '../../support/contract.js';
import { eventually, inParallel } from '../../support/eventually.js';
import { sharedCluster } from '../../support/shared-cluster.js';
import { lessons, lessonUpload, shellSuccess } from '../../support/uploads.js';

/** Every gateway asks every other service in turn, so that gateways asked in turn show what all replicas say. */
const cluster = sharedCluster();
let account: Account;
let gateways: Client[];

beforeAll(async () => {
  const { target, gatewayUrls } = cluster();
  account = await createAccounts(target).open();
  gateways = gatewayUrls.map((url) => createClient(url, account.key));
}, 60_000);

const at = (turn: number) => gateways[turn % gateways.length] as Client;

describe('two replicas of each service', () => {
  it('are what is tested', () => expect(gateways).toHaveLength(2));

  it('never say processing of a job after one has said that it ended, and tell its end alike', async () => {
    const tenantId = unique('agree');
    await inParallel([...Array(24).keys()], 8, async (index) => {
      const upload = shellSuccess(tenantId, `Task ${unique('number')} of many`, `run --number ${index}`);
      const { job_id } = await at(index).store(upload);
      const ended = await eventually(
        async () => {
          const job = await at(Math.floor(Math.random() * 2)).job(job_id);
          return job.status === 'processing' ? undefined : job;
        },
        { what: 'the job ends', withinMs: 60_000, everyMs: 10 },
      );
      const told = await Promise.all(Array.from({ length: 8 }, (_, turn) => at(turn).job(job_id)));
      for (const job of told) expect(job).toEqual(ended);
    });
  }, 120_000);

  it('hand out the same knowledge as soon as its job has completed', async () => {
    const tenantId = unique('agree');
    for (const [index, lesson] of Object.values(lessons).entries()) {
      const job: JobRecord = await at(index).learn(lessonUpload(tenantId, lesson));
      expect(job.status).toBe('completed');
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, turn) => at(turn).enhance({ tenant_id: tenantId, input_text: lesson.asked })),
      );
      const first = answers[0]!;
      expect(first.response).toContain(lesson.command);
      for (const { response, metadata } of answers) {
        expect(response).toBe(first.response);
        expect(metadata.recommendations).toEqual(first.metadata.recommendations);
        expect(metadata.confidence_score).toBe(first.metadata.confidence_score);
      }
    }
  }, 120_000);

  it('hand out nothing any more of what was deleted at one of them', async () => {
    const tenantId = unique('agree');
    await at(0).learn(lessonUpload(tenantId, lessons.ports));
    const { deleted_count } = await at(1).deleteByIntent({ tenant_id: tenantId, intent: lessons.ports.task });
    expect(deleted_count).toBeGreaterThan(0);
    const asked = { tenant_id: tenantId, input_text: lessons.ports.asked };
    const answers = await Promise.all(Array.from({ length: 8 }, (_, turn) => at(turn).enhance(asked)));
    for (const { metadata } of answers) expect(metadata.recommendations).toEqual([]);
  }, 120_000);

  it('make one job of uploads with the same Idempotency-Key, wherever they come in', async () => {
    const tenantId = unique('agree');
    const upload = lessonUpload(tenantId, lessons.sql);
    const headers = { 'idempotency-key': unique('retry') };
    const acknowledged = await Promise.all(Array.from({ length: 6 }, (_, turn) => at(turn).store(upload, headers)));
    const ids = new Set(acknowledged.map(({ job_id }) => job_id));
    expect(ids.size).toBe(1);
    const job = await at(0).jobEnded([...ids][0]!);
    expect(job).toMatchObject({ status: 'completed', outcome: 'stored' });
    const { metadata } = await at(1).enhance({ tenant_id: tenantId, input_text: lessons.sql.asked });
    expect(metadata.recommendations.map(({ support }) => support)).toEqual([1]);
  }, 120_000);

  it('take a new key within a second each, and refuse it for good once it is revoked', async () => {
    const { target, gatewayUrls } = cluster();
    const { operator } = createAccounts(target);
    const issued = await operator.issueKey(account.account);
    const statuses = () =>
      Promise.all(
        gatewayUrls.map(async (url) => {
          const { status } = await fetch(url, { headers: { 'x-api-key': issued.key, connection: 'close' } });
          return status;
        }),
      );
    const all = (expected: number) => async () =>
      (await statuses()).every((status) => status === expected) ? true : undefined;

    await eventually(all(200), { what: 'every gateway knows the key', withinMs: 10_000 });
    for (let look = 0; look < 20; look++) expect(await statuses()).toEqual([200, 200]);
    await operator.revokeKey(issued.keyId);
    await eventually(all(401), { what: 'every gateway refuses the key', withinMs: 10_000 });
    for (let look = 0; look < 20; look++) expect(await statuses()).toEqual([401, 401]);
  }, 60_000);
});
