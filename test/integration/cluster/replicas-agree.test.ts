import type { JobState } from '@whetstone/contracts';
import { createCallTokens, readRootSecrets } from '@whetstone/identity';
import { Registry } from '@whetstone/platform';
import { createRpcClient, type RpcClient } from '@whetstone/rpc';

import { type Account, createAccounts, unique } from '../../support/accounts.js';
import { type Client, createClient } from '../../support/client.js';
import type { JobRecord } from '../../support/contract.js';
import { eventually, inParallel } from '../../support/eventually.js';
import { sharedCluster } from '../../support/shared-cluster.js';
import { lessons, lessonUpload, shellSuccess } from '../../support/uploads.js';

/** Each gateway calls the replicas of other services in turn, so asking the gateways in turn reaches all of them. */
const cluster = sharedCluster();
let account: Account;
let gateways: Client[];
let statuses: RpcClient<'status'>[];

beforeAll(async () => {
  const { target, gatewayUrls, grpc, rootSecretFile } = cluster();
  account = await createAccounts(target).open();
  gateways = gatewayUrls.map((url) => createClient(url, account.key));
  const calling = { tokens: createCallTokens(await readRootSecrets(rootSecretFile)), registry: new Registry() };
  statuses = grpc.status.map(({ address: target }) => createRpcClient('status', { target, ...calling }));
});

afterAll(() => {
  for (const status of statuses ?? []) status.close();
});

const at = (turn: number) => gateways[turn % gateways.length] as Client;

async function issueAsOperator() {
  const { operator } = createAccounts(cluster().target);
  const { key, keyId } = await operator.issueKey(account.account);
  return { key, revoke: () => operator.revokeKey(keyId) };
}

/** At the first gateway, and revoked at the second. */
async function issueAtOne() {
  const admin = await createAccounts(cluster().target).open(account.account, ' --scope admin');
  const [first, second] = cluster().gatewayUrls.map((url) => createClient(url, admin.key)) as [Client, Client];
  const { body } = await first.request<{ key: string; key_id: string }>('POST', '/keys', { body: { scopes: ['ask'] } });
  return {
    key: body.key,
    async revoke() {
      expect((await second.request('DELETE', `/keys/${body.key_id}`)).status).toBe(200);
    },
  };
}

describe('two replicas of each service', () => {
  it('are what is tested', () => expect([gateways.length, statuses.length]).toEqual([2, 2]));

  it('never say processing of a job after one has said that it ended, and tell its end alike', async () => {
    const tenantId = unique('agree');
    await inParallel([...Array(16).keys()], 4, async (index) => {
      const upload = shellSuccess(tenantId, `Task ${unique('number')} of many`, `run --number ${index}`);
      const { job_id } = await at(index).store(upload);
      // Asks the replicas in turn without a pause: once one has reported the end, the next must know it.
      const told: JobState[] = [];
      for (let turn = index; told.filter(({ status }) => status !== 'processing').length < 8; turn++) {
        told.push(await statuses[turn % statuses.length]!.call('GetJob', { jobId: job_id }, {}));
      }
      const ends = told.slice(told.findIndex(({ status }) => status !== 'processing'));
      for (const state of ends) expect(state).toEqual(ends[0]);
      const answers = await Promise.all(Array.from({ length: 4 }, (_, turn) => at(turn).job(job_id)));
      for (const answer of answers) expect(answer).toEqual(answers[0]);
      expect(answers[0]!.status).toBe('completed');
    });
  });

  it('know at once what another has told while they stood still', async () => {
    const tenantId = unique('agree');
    const [asked, still] = statuses as [RpcClient<'status'>, RpcClient<'status'>];
    const { pid } = cluster().grpc.status[1]!;
    for (let round = 0; round < 3; round++) {
      const { job_id: jobId } = await at(round).store(shellSuccess(tenantId, unique('Task'), `run --round ${round}`));
      process.kill(pid, 'SIGSTOP');
      try {
        const ended = await eventually(
          async () => {
            const state = await asked.call('GetJob', { jobId }, {});
            return state.status === 'processing' ? undefined : state;
          },
          { what: 'the job ends' },
        );
        const late = still.call('GetJob', { jobId }, { deadline: Date.now() + 120_000 });
        process.kill(pid, 'SIGCONT');
        expect(await late).toEqual(ended);
      } finally {
        process.kill(pid, 'SIGCONT');
      }
    }
  });

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
  });

  it('hand out nothing any more of what was deleted at one of them', async () => {
    const tenantId = unique('agree');
    await at(0).learn(lessonUpload(tenantId, lessons.ports));
    const { deleted_count } = await at(1).deleteByIntent({ tenant_id: tenantId, intent: lessons.ports.task });
    expect(deleted_count).toBeGreaterThan(0);
    const asked = { tenant_id: tenantId, input_text: lessons.ports.asked };
    const answers = await Promise.all(Array.from({ length: 8 }, (_, turn) => at(turn).enhance(asked)));
    for (const { metadata } of answers) expect(metadata.recommendations).toEqual([]);
  });

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
  });

  it.each(['an operator', 'one of them'])(
    'take a key that %s issues, and refuse it for good once it is revoked',
    async (by) => {
      const { gatewayUrls } = cluster();
      const issued = by === 'an operator' ? await issueAsOperator() : await issueAtOne();
      const statuses = () =>
        Promise.all(
          gatewayUrls.map(async (url) => {
            const { status } = await fetch(url, { headers: { 'x-api-key': issued.key, connection: 'close' } });
            return status;
          }),
        );
      const all = (expected: number) => async () =>
        (await statuses()).every((status) => status === expected) ? true : undefined;

      await eventually(all(200), { what: 'every gateway knows the key' });
      for (let look = 0; look < 20; look++) expect(await statuses()).toEqual([200, 200]);
      await issued.revoke();
      await eventually(all(401), { what: 'every gateway refuses the key' });
      for (let look = 0; look < 20; look++) expect(await statuses()).toEqual([401, 401]);
    },
  );
});
