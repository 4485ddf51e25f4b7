import { type Account, createAccounts, unique } from '../support/accounts.js';
import type { ErrorBody, Upload } from '../support/contract.js';
import { eventually } from '../support/eventually.js';
import { lessons, lessonUpload, shellFailure, shellSuccess } from '../support/uploads.js';

interface Run {
  job_id: string;
  accepted_at: string;
  status: string;
  query: string | null;
  agent_type: string | null;
  success: boolean | null;
  lessons: number;
}

interface Details extends Omit<Run, 'lessons'> {
  timeline: { event: string; at: string }[];
  trail: { action: string; outcome: string }[];
  lessons: { id: string; title: string }[];
  reason: string | null;
}

interface Collection {
  tenant_id: string | null;
  default: boolean;
  insights: number;
  runs: number;
  last_upload_at: string | null;
  review: string;
  holdout_share: number | null;
  retention_days: number | null;
}

interface Page {
  next_cursor: string | null;
}

const accounts = createAccounts();
let account: Account;

beforeAll(async () => {
  account = await accounts.open();
});

async function get<Body>(path: string, { client } = account): Promise<Body> {
  const { status, body, text } = await client.request<Body>('GET', path);
  if (status !== 200) throw new Error(`${status}: ${text}`);
  return body;
}

const named = (tenantId: string) => `tenant_id=${encodeURIComponent(tenantId)}`;
const list = (tenantId: string, more = '', by = account) =>
  get<{ runs: Run[] } & Page>(`/runs?${named(tenantId)}${more}`, by);
const details = (tenantId: string, jobId: string) => get<Details>(`/runs/${jobId}?${named(tenantId)}`);

/** Replicas learn the end of a job one by one. */
function listed(tenantId: string, count: number, more = ''): Promise<Run[]> {
  return eventually(
    async () => {
      const { runs } = await list(tenantId, more);
      return runs.length === count && runs.every(({ status }) => status !== 'processing') ? runs : undefined;
    },
    { what: `${count} runs are listed` },
  );
}

async function learnt(...uploads: ((tenantId: string) => Upload)[]) {
  const tenantId = unique('runs');
  const jobs = [];
  for (const upload of uploads) jobs.push((await account.client.learn(upload(tenantId))).job_id);
  return { tenantId, jobs };
}

const { logs, sql } = lessons;
const failing = (tenantId: string) =>
  shellFailure(tenantId, sql.task, [
    { turn: 1, inputs: sql.task, decision: 'SELECT country, COUNT(*) FROM customer;', result: 'ERROR: no such table' },
  ]);
const silent = (tenantId: string) => ({ tenant_id: tenantId, query: 'Say nothing at all', turns: [] });

describe('GET /runs', () => {
  it('lists what was uploaded and what came of it, the latest first', async () => {
    const { tenantId, jobs } = await learnt((to) => lessonUpload(to, logs), failing, silent);

    const runs = await listed(tenantId, 3);

    expect(runs.map(({ job_id }) => job_id)).toEqual(jobs.toReversed());
    expect(runs[2]).toEqual({
      job_id: jobs[0],
      accepted_at: expect.any(String),
      status: 'completed',
      query: logs.task,
      agent_type: 'shell',
      success: true,
      lessons: 1,
    });
    expect(runs[1]).toMatchObject({ query: sql.task, success: false });
    expect(runs[0]).toMatchObject({ query: 'Say nothing at all', agent_type: null, success: null, lessons: 0 });
  });

  it('filters by status and by success, and pages through all, each once', async () => {
    const { tenantId, jobs } = await learnt((to) => lessonUpload(to, logs), failing, silent, failing);
    await listed(tenantId, 4);

    expect(await listed(tenantId, 2, '&success=false')).toHaveLength(2);
    expect(await listed(tenantId, 1, '&success=true&status=completed')).toHaveLength(1);
    expect((await list(tenantId, '&status=failed')).runs).toEqual([]);
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { runs: Run[] } & Page = await list(tenantId, `&limit=3&cursor=${cursor}`);
      seen.push(...page.runs.map(({ job_id }) => job_id));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(jobs.toReversed());
  });

  it('shows another account nothing, nor another collection', async () => {
    const { tenantId, jobs } = await learnt((to) => lessonUpload(to, logs));
    await listed(tenantId, 1);
    const stranger = await accounts.open();

    expect((await list(tenantId, '', stranger)).runs).toEqual([]);
    for (const [{ client }, path] of [
      [stranger, `/runs/${jobs[0]}?${named(tenantId)}`],
      [account, `/runs/${jobs[0]}?${named(unique('elsewhere'))}`],
    ] as const) {
      const answer = await client.request<ErrorBody>('GET', path);
      expect([answer.status, answer.body.error]).toEqual([404, 'job_not_found']);
    }
    const foreign = await stranger.client.request<ErrorBody>('GET', `/runs?${named(account.key)}`);
    expect([foreign.status, foreign.body.error]).toEqual([403, 'tenant_forbidden']);
  });

  it('tells no text of what was deleted by intent, also if nothing was learnt from it', async () => {
    const alike = (tenantId: string) => ({ tenant_id: tenantId, query: logs.asked, turns: [] });
    const { tenantId, jobs } = await learnt(
      (to) => lessonUpload(to, logs),
      (to) => lessonUpload(to, sql),
      alike,
    );
    await listed(tenantId, 3);

    await account.client.deleteByIntent({ tenant_id: tenantId, intent: logs.task, similarity_threshold: 0.6 });

    expect((await list(tenantId)).runs.map(({ query }) => query)).toEqual([null, sql.task, null]);
    expect(await details(tenantId, jobs[0] ?? '')).toMatchObject({ query: null, trail: [], lessons: [] });
    await account.client.learn(lessonUpload(tenantId, logs));
    expect((await listed(tenantId, 4))[0]).toMatchObject({ query: logs.task });
  });

  it('tells no text of a run whose lesson was deleted', async () => {
    const { tenantId, jobs } = await learnt((to) => lessonUpload(to, logs));
    await listed(tenantId, 1);
    const [lesson] = (await details(tenantId, jobs[0] ?? '')).lessons;

    await account.client.request('DELETE', `/lessons/${lesson?.id}?${named(tenantId)}`);

    expect((await list(tenantId)).runs[0]).toMatchObject({ job_id: jobs[0], query: null });
  });

  it('tells no text after an erasure, from any replica, and that of later runs', async () => {
    const { tenantId, jobs } = await learnt((to) => lessonUpload(to, logs), silent);
    await listed(tenantId, 2);

    await account.client.erase(tenantId);

    for (let look = 0; look < 8; look++) {
      const { text } = await account.client.request('GET', `/runs?${named(tenantId)}`);
      expect(text).not.toContain('/var');
      expect(text).not.toContain('Say nothing');
    }
    const gone = await account.client.request('GET', `/runs/${jobs[0]}?${named(tenantId)}`);
    expect(gone.text).not.toContain('find');
    await account.client.learn(lessonUpload(tenantId, sql));
    expect((await listed(tenantId, 3)).map(({ query }) => query)).toEqual([sql.task, null, null]);
  });
});

describe('GET /runs/{job_id}', () => {
  it('tells a run as a timeline, with its actions and its lessons', async () => {
    const { tenantId, jobs } = await learnt((to) => lessonUpload(to, logs));

    const run = await details(tenantId, jobs[0] ?? '');

    expect(run.timeline.map(({ event }) => event)).toEqual(['accepted', 'started', 'learnt', 'stored']);
    expect(run.timeline.map(({ at }) => at)).toEqual(run.timeline.map(({ at }) => at).sort());
    expect(run).toMatchObject({ status: 'completed', query: logs.task, success: true, reason: null });
    expect(run.trail).toEqual([{ action: logs.command, outcome: 'ok' }]);
    const [lesson] = run.lessons;
    const found = await account.client.request('GET', `/lessons/${lesson?.id}?${named(tenantId)}`);
    expect([found.status, found.text.includes(jobs[0] ?? '')]).toEqual([200, true]);
  });

  it('names its lessons as they are now, and none that was deleted', async () => {
    const { task, command } = logs;
    const { tenantId, jobs } = await learnt((to) => ({
      ...lessonUpload(to, logs),
      turns: [
        { turn: 1, inputs: task, decision: `\`${command}\``, result: 'bash: `find: command not found' },
        { turn: 2, inputs: task, decision: command, result: 'exit code 0' },
      ],
    }));
    const [deleted, ...left] = (await details(tenantId, jobs[0] ?? '')).lessons;
    expect(left).toHaveLength(1);

    await account.client.request('DELETE', `/lessons/${deleted?.id}?${named(tenantId)}`);
    const title = unique('Reworded');
    await account.client.request('PATCH', `/lessons/${left[0]?.id}?${named(tenantId)}`, { body: { title } });

    const now = await details(tenantId, jobs[0] ?? '');
    expect(now.lessons).toEqual([{ id: left[0]?.id, title }]);
    expect(now.query).toBe(task);
  });

  it('says why nothing was learnt', async () => {
    const { tenantId, jobs } = await learnt(silent);

    const run = await details(tenantId, jobs[0] ?? '');

    expect(run.reason).toMatch(/./);
    expect(run.timeline.map(({ event }) => event)).toEqual(['accepted', 'started', 'nothing_learnt']);
    expect([run.trail, run.lessons]).toEqual([[], []]);
  });

  it('shows markup as it was sent, and no secrets', async () => {
    const script = '<script>alert("wst")</script>';
    const { tenantId, jobs } = await learnt((to) =>
      shellSuccess(to, `Print ${script}`, `mysql -pHunter2Hunter2 -e "SELECT '${script}'"`),
    );

    const run = await details(tenantId, jobs[0] ?? '');

    expect(run.query).toBe(`Print ${script}`);
    expect(JSON.stringify(run)).not.toContain('Hunter2Hunter2');
  });
});

describe('GET /collections', () => {
  async function all(by: Account, limit = 50): Promise<Collection[]> {
    const found: Collection[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { collections: Collection[] } & Page = await get(`/collections?limit=${limit}&cursor=${cursor}`, by);
      found.push(...page.collections);
      cursor = page.next_cursor;
    }
    return found;
  }

  it('lists what was written to, with its size and settings; a key is no name', async () => {
    const owner = await accounts.open();
    const tenants = [unique('uploads'), unique('settings'), unique('words')] as const;
    await owner.client.learn(lessonUpload(tenants[0], logs));
    await owner.client.learn(lessonUpload(owner.key, sql));
    const settings = { review: 'required', holdout_share: 0.25, retention_days: 90 };
    await owner.client.request('PATCH', `/collections?${named(tenants[1])}`, { body: settings });
    const lesson = { tenant_id: tenants[2], applies_when: 'Greet a customer', text: 'Say hello.' };
    await owner.client.request('POST', '/lessons', { body: lesson });
    await owner.client.enhance({ tenant_id: unique('asked'), input_text: 'What now?' });

    const found = await eventually(
      async () => {
        const collections = await all(owner, 3);
        return collections.filter(({ runs }) => runs === 1).length === 2 ? collections : undefined;
      },
      { what: 'both runs are counted' },
    );

    const usual = { review: 'none', holdout_share: null, retention_days: null };
    const idle = { runs: 0, last_upload_at: null };
    const busy = { runs: 1, last_upload_at: expect.any(String) };
    expect(found).toEqual([
      { tenant_id: tenants[0], default: false, insights: 1, ...busy, ...usual },
      { tenant_id: null, default: true, insights: expect.any(Number), ...busy, ...usual },
      { tenant_id: tenants[1], default: false, insights: 0, ...idle, ...settings },
      { tenant_id: tenants[2], default: false, insights: 1, ...idle, ...usual },
    ]);
  });

  it('lists none of another account, and none that was erased', async () => {
    const [owner, stranger] = [await accounts.open(), await accounts.open()];
    const [kept, gone] = [unique('kept'), unique('gone')];
    for (const tenantId of [kept, gone]) await owner.client.learn(lessonUpload(tenantId, logs));
    expect(await all(stranger)).toEqual([]);

    await owner.client.erase(gone);

    for (let look = 0; look < 8; look++) {
      expect((await all(owner)).map(({ tenant_id }) => tenant_id)).toEqual([kept]);
    }
    await owner.client.learn(lessonUpload(gone, logs));
    expect((await all(owner)).map(({ tenant_id }) => tenant_id)).toEqual([kept, gone]);
  });

  it('knows only its own cursors', async () => {
    const answer = await account.client.request('GET', '/collections?cursor=nonsense');

    expect(answer.status).toBe(422);
  });
});
