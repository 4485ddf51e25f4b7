import { type Account, createAccounts, unique } from '../support/accounts.js';
import { eventually, inParallel } from '../support/eventually.js';
import { agentTrace, exportOf, type Span } from '../support/otlp.js';
import { createRandomness } from '../support/randomness.js';
import { lessons } from '../support/uploads.js';

interface Run {
  job_id: string;
  status: string;
  query: string;
  success: boolean | null;
}

const accounts = createAccounts();
const random = createRandomness();
let account: Account;

beforeAll(async () => {
  account = await accounts.open();
});

const send = (tenantId: string, spans: readonly Span[], { client } = account) =>
  client.request('POST', '/v1/traces', { body: exportOf(spans), headers: { 'x-whetstone-tenant': tenantId } });

async function runsOf(tenantId: string, { client } = account): Promise<Run[]> {
  return (await client.request<{ runs: Run[] }>('GET', `/runs?tenant_id=${tenantId}&limit=200`)).body.runs;
}

function learnt(tenantId: string, count: number): Promise<Run[]> {
  return eventually(
    async () => {
      const runs = await runsOf(tenantId);
      return runs.length >= count && runs.every(({ status }) => status !== 'processing') ? runs : undefined;
    },
    { what: `${count} traces have become runs`, everyMs: 500 },
  );
}

it('a trace of an agent becomes a run, and its lesson comes back at the next task', async () => {
  const tenantId = unique('traces');
  const { task, command } = lessons.ports;
  const { status, body } = await send(tenantId, agentTrace({ task, commands: [command], success: true }));
  expect([status, body]).toEqual([200, {}]);

  expect(await learnt(tenantId, 1)).toMatchObject([{ query: task, success: true, status: 'completed' }]);
  await eventually(
    async () => {
      const { response } = await account.client.enhance({ tenant_id: tenantId, input_text: task, agent_type: 'shell' });
      return response.includes(command) ? response : undefined;
    },
    { what: 'the lesson is told' },
  );
});

it('traces in random pieces, in random order, each twice, become one whole run each, and nobody else’s', async () => {
  const tenantId = unique('traces');
  const other = await accounts.open();
  const steps = 6;
  const traces = Array.from({ length: 20 }, (_, at) =>
    agentTrace({ task: `Task ${at}`, commands: Array.from({ length: steps }, (_, step) => `echo ${at} ${step}`) }),
  );
  const pieces = traces
    .flat()
    .flatMap((span) => [span, span])
    .map((span) => ({ span, at: random.below(2 ** 30) }))
    .sort((a, b) => a.at - b.at)
    .map(({ span }) => span);
  const batches: Span[][] = [];
  while (pieces.length > 0) batches.push(pieces.splice(0, 1 + random.below(12)));
  await inParallel(batches, 4, async (batch) => {
    expect((await send(tenantId, batch)).status).toBe(200);
  });

  const runs = await learnt(tenantId, traces.length);
  // Late repetitions change nothing.
  await send(tenantId, random.pick(traces));
  expect(new Set(runs.map(({ query }) => query)).size).toBe(traces.length);
  for (const { job_id, query } of runs) {
    const { body } = await account.client.request<{ trail: { action: string }[] }>(
      'GET',
      `/runs/${job_id}?tenant_id=${tenantId}`,
    );
    const [, at] = query.split(' ');
    expect(body.trail.map(({ action }) => action)).toEqual(
      Array.from({ length: steps }, (_, step) => expect.stringContaining(`echo ${at} ${step}`)),
    );
  }
  expect(await runsOf(tenantId)).toHaveLength(traces.length);
  expect(await runsOf(tenantId, other)).toEqual([]);
});

it('spans without content are refused by name of the setting to switch on', async () => {
  const spans = agentTrace({ task: 'Look', commands: ['ls'] }).map((span) => ({
    ...span,
    attributes: span.attributes.filter(({ key }) => !/arguments|result|messages/.test(key)),
  }));

  expect((await send(unique('traces'), spans)).body).toMatchObject({
    partialSuccess: { rejectedSpans: 1, errorMessage: expect.stringContaining('CAPTURE_MESSAGE_CONTENT') },
  });
});

it('a body that is broken anywhere gets a 422, or is taken for what is left of it', async () => {
  const tenantId = unique('traces');
  const whole = exportOf(agentTrace({ task: 'Look', commands: ['ls'] }));
  const text = JSON.stringify(whole);
  const values = ['null', '1', '"x"', '[]', '{}', '[[[]]]', '{"__proto__":{"x":1}}'];
  const broken = Array.from({ length: 150 }, () => {
    const places = [...text.matchAll(/"[^"]*"(?=[,}\]])|[{[]/g)];
    const { index = 0, 0: found } = random.pick(places);
    return text.slice(0, index) + random.pick(values) + text.slice(index + found.length);
  });
  const headers = { 'x-whetstone-tenant': tenantId, 'content-type': 'application/json' };
  const statuses = await inParallel(broken, 8, async (body) => {
    const { status } = await account.client.request('POST', '/v1/traces', { body, headers });
    return status;
  });

  expect(statuses.filter((status) => status !== 200 && status !== 422)).toEqual([]);
  expect(statuses).toContain(422);
});

it('an erased collection gets nothing of the spans that came before', async () => {
  const tenantId = unique('traces');
  await send(tenantId, agentTrace({ task: lessons.ports.task, commands: ['ls'], success: true }).slice(0, 1));
  await account.client.erase(tenantId);
  const marker = agentTrace({ task: 'Later task', commands: ['date'], success: true });
  await send(tenantId, marker);

  expect(await learnt(tenantId, 1)).toMatchObject([{ query: 'Later task' }]);
});
