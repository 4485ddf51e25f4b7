import { randomBytes } from 'node:crypto';

import { type Account, createAccounts, keyCounts } from '../../support/accounts.js';
import { createClient } from '../../support/client.js';
import { eventually } from '../../support/eventually.js';
import { target } from '../../support/target.js';
import { lessons, shellSuccess } from '../../support/uploads.js';
import { type Finding, linesWith, searchFiles } from './search-files.js';

const { baseUrl, opsUrl, output } = target();
const accounts = createAccounts();
const word = (name: string) => `zq${name}${randomBytes(8).toString('hex')}`;

const tenantId = word('tenant');
const content = word('content');
/** Inside an upload so large that it is worth packing. */
const packed = word('packed');
const requestId = word('request');
let keys: Account[];
let jobId: string;
/** Keys whole and in part, as a careless log line might cut them, and the tenant_id. */
let needles: string[];
let findings: Finding[];

beforeAll(async () => {
  const first = await accounts.open();
  const revoked = await accounts.open(first.account);
  const stranger = await accounts.open();
  keys = [first, revoked, stranger];
  const mistyped = `wst_${word('id')}_${word('secret')}_000000`;
  needles = [...keys.flatMap(({ key }) => [key, key.split('_')[2] as string]), mistyped, tenantId];

  const task = `${lessons.logs.task} of ${content}`;
  for (const tenant of [tenantId, first.key, revoked.key]) {
    ({ job_id: jobId } = await first.client.learn(shellSuccess(tenant, task, `find /var -name ${content}`)));
    await first.client.enhance({ tenant_id: tenant, input_text: task });
    await first.client.deleteByIntent({ tenant_id: tenant, intent: task, dry_run: true });
  }
  const erased = word('erased');
  needles.push(erased);
  await first.client.learn(shellSuccess(erased, task, 'ls'));
  await first.client.erase(erased);
  // People paste keys where they do not belong.
  const careless = `Call the service with ${first.key}`;
  await first.client.learn({
    ...shellSuccess('careless', careless, `curl -H "x-api-key: ${first.key}"`),
    agent_type: first.key,
  });
  await first.client.enhance({ tenant_id: 'careless', input_text: careless });
  await first.client.deleteByIntent({ tenant_id: 'careless', intent: careless, similarity_threshold: 1 });
  await first.client.store(shellSuccess(tenantId, task, 'ls'), { 'idempotency-key': 'retry' });
  await first.client.learn({
    ...shellSuccess(tenantId, task, 'ls', 'a line of output\n'.repeat(2000)),
    metadata: { note: packed },
  });
  await refusals(first, stranger.key);
  await createClient(baseUrl, mistyped).request('GET', `/?tenant_id=${tenantId}`);
  await accounts.operator.revokeKey(revoked.keyId);
  await keyCounts(baseUrl, revoked.key, false);
  await createClient(baseUrl, revoked.key).request('GET', '/');
  await first.client.request('GET', '/nowhere', { headers: { 'x-request-id': requestId } });
  // A request is in the log a moment after its answer.
  findings = await eventually(
    async () => {
      const found = await searchFiles(output, [...needles, content, packed, jobId, requestId]);
      return found.some(({ needle }) => needle === requestId) ? found : undefined;
    },
    { what: 'the last request is in the log', everyMs: 500 },
  );
});

/** Everything that is refused, with the key or the tenant_id where an error message might repeat it. */
async function refusals({ client }: Account, foreignKey: string): Promise<void> {
  const bodies = [
    { tenant_id: foreignKey, query: 'x', turns: [] },
    { tenant_id: tenantId, query: 1, turns: 'none' },
    `{"tenant_id": "${tenantId}", "query": "${foreignKey}`,
    `"${tenantId.repeat(200_000)}"`,
  ];
  for (const body of bodies) await client.request('POST', '/store_knowledge', { body });
  await client.request('POST', '/enhance_task', { body: tenantId, headers: { 'content-type': 'text/plain' } });
  await client.request('POST', `/delete_by_intent?tenant_id=${foreignKey}&intent=x`);
  await client.request('POST', `/delete_by_intent?tenant_id=${tenantId}&tenant_id=${foreignKey}`);
  await client.request('DELETE', `/collections?tenant_id=${foreignKey}&confirm=${foreignKey}`);
  await client.request('DELETE', `/collections?tenant_id=${tenantId}&confirm=${foreignKey}`);
  await client.request('GET', `/knowledge_status/${foreignKey}`);
  await client.request('GET', `/runs/${foreignKey}?tenant_id=${tenantId}`);
  await client.request('GET', `/runs?tenant_id=${foreignKey}`);
  await client.request('GET', '/collections');
  await client.request('GET', `/${tenantId}`);
  await client.request('DELETE', `/enhance_task?tenant_id=${tenantId}`);
}

describe('a raw key or tenant_id', () => {
  it('appears in nothing that the processes print and write', () => {
    expect(output.length).toBeGreaterThan(0);
    expect(findings.filter(({ needle }) => needles.includes(needle))).toEqual([]);
  });

  it('is not needed to tell who called: the log line of a request names the key id, the account and the job', async () => {
    const [{ keyId, account, key }] = keys as [Account];
    const ids = [word('request'), word('request')];
    const asked = { headers: { 'x-request-id': ids[0] as string } };
    await createClient(baseUrl, key).request('GET', `/knowledge_status/${jobId}`, asked);
    await createClient(baseUrl, key).request('GET', '/', { headers: { 'x-request-id': ids[1] as string } });

    const lines = await eventually(
      async () => {
        const found = await Promise.all(ids.map((id) => linesWith(output, id)));
        return found.every((printed) => printed.length > 0) ? found.map(([line = '']) => JSON.parse(line)) : undefined;
      },
      { what: 'both requests are in the log', everyMs: 200 },
    );

    expect(lines[0]).toMatchObject({ key_id: keyId, account, job_id: jobId, status: 200 });
    expect(lines[1]).toMatchObject({ key_id: keyId, account, status: 200 });
    expect(lines[1]).not.toHaveProperty('job_id');
  });

  it('would have been found: a job and a request id are; what only an upload holds is encrypted', () => {
    const found = (text: string) => findings.filter(({ needle }) => needle === text).map(({ where }) => where);

    expect(found(jobId)).toContain('content');
    expect(found(requestId)).toContain('content');
    expect(found(packed)).toEqual([]);
  });

  it('appears in no metric, and neither does a job or what was uploaded', async () => {
    const metrics = await (await fetch(`${opsUrl}/metrics`)).text();

    expect([...needles, content, jobId].filter((needle) => metrics.includes(needle))).toEqual([]);
    expect(metrics).not.toMatch(/job_[0-9a-z]{20}|wst_/);
  });
});
