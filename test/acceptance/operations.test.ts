import { type Account, createAccounts, unique } from '../support/accounts.js';
import { target } from '../support/target.js';
import { lessons, lessonUpload } from '../support/uploads.js';

const { baseUrl, opsUrl } = target();
const accounts = createAccounts();
let account: Account;
let metrics: string;
let tenantId: string;
let jobId: string;

beforeAll(async () => {
  account = await accounts.open();
  tenantId = unique('metrics');
  ({ job_id: jobId } = await account.client.learn(lessonUpload(tenantId, lessons.logs)));
  await account.client.enhance({ tenant_id: tenantId, input_text: lessons.logs.asked });
  await account.client.deleteByIntent({ tenant_id: tenantId, intent: lessons.logs.task });
  await account.client.request('GET', '/', { headers: { 'x-api-key': 'wrong' } });
  metrics = await (await fetch(`${opsUrl}/metrics`)).text();
});

describe('the ops port', () => {
  it.each(['/livez', '/readyz', '/startupz'])('%s answers 200 without a key', async (path) => {
    expect((await fetch(`${opsUrl}${path}`)).status).toBe(200);
  });

  it('/readyz tells how each dependency is', async () => {
    const text = await (await fetch(`${opsUrl}/readyz`)).text();

    expect(JSON.stringify(JSON.parse(text))).toMatch(/dependenc|services|checks/);
  });

  it.each(['/livez', '/readyz', '/metrics'])('%s is not on the public port', async (path) => {
    expect((await account.client.request('GET', path)).status).toBe(404);
  });

  it('has no operations of the service', async () => {
    expect(
      (await fetch(`${opsUrl}/enhance_task`, { method: 'POST', headers: { 'x-api-key': account.key } })).status,
    ).toBe(404);
  });
});

describe('/metrics', () => {
  it.each([
    'http_server_request_duration_seconds',
    'whetstone_append_duration_seconds',
    'whetstone_append_failures_total',
    'whetstone_consumer_lag_messages',
    'whetstone_consumer_lag_seconds',
    'whetstone_inflight_messages',
    'whetstone_retries_total',
    'whetstone_dead_letters_total',
    'whetstone_view_age_seconds',
    'whetstone_jobs_total',
    'whetstone_job_duration_seconds',
    'whetstone_vector_operation_duration_seconds',
    'whetstone_vector_operation_failures_total',
    'whetstone_embedding_duration_seconds',
    'whetstone_embedding_failures_total',
    'whetstone_rows',
    'whetstone_collections',
    'whetstone_recommendations_returned',
    'whetstone_enhance_empty_total',
    'whetstone_insights_dropped_total',
    'whetstone_auth_failures_total',
    'whetstone_rate_limited_total',
    'whetstone_overloaded_total',
    'whetstone_body_bytes_in_flight',
    'whetstone_open_connections',
    'whetstone_connections_refused_total',
    'whetstone_redactions_total',
    'whetstone_oldest_open_job_seconds',
    'whetstone_outcomes_total',
    'whetstone_uplift_ratio',
    'whetstone_rebalances_total',
    'whetstone_ready',
    'whetstone_dependency_up',
    'whetstone_memory_limit_bytes',
    'process_resident_memory_bytes',
    'nodejs_eventloop_lag_seconds',
  ])('has %s', (name) => {
    expect(metrics).toContain(`# TYPE ${name} `);
  });

  it('counts requests by method, route and status, never by URL', () => {
    const requests = metrics
      .split('\n')
      .filter((line) => line.startsWith('http_server_request_duration_seconds_count{'));

    expect(requests.join('\n')).toMatch(/http_request_method="POST"/);
    const routes = new Set(requests.map((line) => /http_route="([^"]*)"/.exec(line)?.[1]));
    expect(routes).toContain('/enhance_task');
    for (const route of routes) expect(route).not.toMatch(/job_[0-9a-z]{10}|tenant|\?|wst_/);
  });

  it('has only labels from a short list: no tenant, key, job or free text', () => {
    const allowed = [
      'http_request_method',
      'http_route',
      'http_response_status_code',
      'rpc_service',
      'rpc_method',
      'rpc_response_status_code',
      'component',
      'dependency',
      'view',
      'limit',
      'outcome',
      'stage',
      'operation',
      'action',
      'arm',
      'success',
      'reason',
      'kind',
      'le',
      'quantile',
      'type',
      'space',
      'version',
      'major',
      'minor',
      'patch',
      'gen_ai_operation_name',
      'gen_ai_provider_name',
      'gen_ai_request_model',
      'gen_ai_token_type',
      'error_type',
    ];
    const labels = new Set([...metrics.matchAll(/[{,](\w+)="/g)].map(([, label]) => label as string));

    expect([...labels].filter((label) => !allowed.includes(label))).toEqual([]);
  });

  it('has only values of labels that nobody can choose: none of this account, its tenant, its job, its words', () => {
    const values = new Set([...metrics.matchAll(/="((?:[^"\\]|\\.)*)"/g)].map(([, value]) => value as string));

    const theirs = [
      account.account,
      account.keyId,
      account.key,
      tenantId,
      jobId,
      lessons.logs.task,
      lessons.logs.asked,
    ];
    expect([...values].filter((value) => theirs.some((own) => value.includes(own)))).toEqual([]);
    // Templates of paths, names of services, buckets: nothing has blanks or is longer.
    for (const value of values) expect(value).toMatch(/^[\w./:+{}-]{0,60}$/);
    expect(values.size).toBeLessThan(250);
  });

  it.each([
    ['whetstone_jobs_total{outcome="failed"}'],
    ['whetstone_dead_letters_total'],
    ['whetstone_append_failures_total'],
    ['whetstone_auth_failures_total{reason="refused"}'],
    ['whetstone_vector_operation_failures_total{operation="search"}'],
    ['whetstone_redactions_total{kind="jwt"}'],
    ['whetstone_insights_dropped_total{reason="secret"}'],
  ])('counts %s from the beginning, so that a rate sees its first event', (series) => {
    expect(metrics.split('\n').some((line) => line.startsWith(`${series} `))).toBe(true);
  });
});

it('security headers are set on every answer', async () => {
  const { headers } = await account.client.request('GET', '/');

  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.has('x-powered-by')).toBe(false);
  expect((await fetch(`${baseUrl}/docs`)).headers.get('x-content-type-options')).toBe('nosniff');
});
