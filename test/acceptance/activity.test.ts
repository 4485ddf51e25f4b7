import { type Account, createAccounts, unique } from '../support/accounts.js';
import { createClient } from '../support/client.js';
import type { ErrorBody, ValidationErrorBody } from '../support/contract.js';
import { createCurator, pathOfLesson } from '../support/curator.js';
import { eventually } from '../support/eventually.js';
import { target } from '../support/target.js';
import { lessons, lessonUpload } from '../support/uploads.js';

interface Entry {
  at: string;
  key_id: string | null;
  action: string;
  tenant_id?: string | null;
  subject: string | null;
  outcome: string;
  details: Record<string, unknown>;
}

interface AuditPage {
  entries: Entry[];
  next_cursor: string | null;
}

interface KeyUsage {
  key_id: string;
  answers: number;
  empty_answers: number;
  uploads: number;
  bytes: number;
  refusals: number;
}

interface Usage {
  days: { date: string; keys: KeyUsage[] }[];
}

interface Uplift {
  with: { runs: number; successes: number; rate: number | null };
  without: { runs: number; successes: number; rate: number | null };
  difference: number | null;
  interval: [number, number] | null;
}

const accounts = createAccounts();
let admin: Account;
let worker: Account;
let stranger: Account;

beforeAll(async () => {
  worker = await accounts.open();
  admin = await accounts.open(worker.account, ' --scope admin');
  stranger = await accounts.open(unique('account'), ' --scope admin --scope curate --scope ask');
});

async function audit({ client }: Account, query = ''): Promise<AuditPage> {
  const answer = await client.request<AuditPage>('GET', `/audit${query}`);
  expect(answer.status).toBe(200);
  return answer.body;
}

describe('GET /audit', () => {
  it('tells who decided what about lessons and collections, newest first, without a word of them', async () => {
    const { request, learnt, only } = createCurator(worker.client);
    const tenantId = await learnt('ss -ltnp sport = :8443');
    const lesson = await only(tenantId);
    const words = unique('words');
    await request('PATCH', pathOfLesson(tenantId, lesson), 200, { state: 'pinned', text: words, note: words });
    await request('POST', '/lessons', 201, { tenant_id: tenantId, applies_when: words, text: words });
    await request('DELETE', pathOfLesson(tenantId, lesson), 200);
    await request('PATCH', `/collections?tenant_id=${tenantId}`, 200, { review: 'required' });
    await request('POST', `/delete_by_intent?tenant_id=${tenantId}&intent=${words}&dry_run=true`, 200);
    await request('POST', `/delete_by_intent?tenant_id=${tenantId}&intent=${words}&similarity_threshold=0.9`, 200);
    await request('DELETE', `/collections?tenant_id=${tenantId}&confirm=${tenantId}`, 200);

    const { entries } = await audit(admin);

    const decided = entries.filter(({ tenant_id: tenant }) => tenant === tenantId);
    expect(decided.map(({ action, subject, outcome }) => [action, subject, outcome])).toEqual([
      ['collection.erased', null, 'done'],
      ['knowledge.deleted', null, 'done'],
      ['collection.changed', null, 'done'],
      ['lesson.deleted', lesson.id, 'done'],
      ['lesson.written', expect.stringMatching(/^[\w-]+$/), 'done'],
      ['lesson.changed', lesson.id, 'done'],
    ]);
    expect(decided.every(({ key_id: keyId }) => keyId === worker.keyId)).toBe(true);
    expect(decided.at(-1)?.details).toEqual({ state: 'pinned', reworded: ['text'] });
    expect(decided[3]?.details).toEqual({ deleted_count: 1 });
    expect(JSON.stringify(entries)).not.toContain(words);
    expect(entries.map(({ at }) => at)).toEqual(
      entries
        .map(({ at }) => at)
        .toSorted()
        .reverse(),
    );
  });

  it('tells what operators and admin keys did with keys', async () => {
    const answer = await admin.client.request<{ key: string; key_id: string }>('POST', '/keys', {
      body: { scopes: ['ask'], trust: 'low' },
    });
    const { key, key_id: keyId } = answer.body;
    await accounts.operator.revokeKey(keyId);

    const { entries } = await audit(admin);

    expect(entries.filter(({ subject }) => subject === keyId)).toEqual([
      { at: expect.any(String), key_id: null, action: 'key.revoked', subject: keyId, outcome: 'done', details: {} },
      {
        at: expect.any(String),
        key_id: admin.keyId,
        action: 'key.issued',
        subject: keyId,
        outcome: 'done',
        details: { scopes: ['ask'], trust: 'low' },
      },
    ]);
    const own = entries.find(({ subject, action }) => subject === admin.keyId && action === 'key.issued');
    expect(own).toMatchObject({ key_id: null, details: { scopes: ['admin'], approved_by: expect.any(String) } });
    expect(JSON.stringify(entries)).not.toContain(key);
  });

  it('never tells a key that was sent as a tenant_id', async () => {
    await createCurator(worker.client).request('PATCH', `/collections?tenant_id=${worker.key}`, 200, {
      review: 'none',
    });

    const { entries } = await audit(admin);

    expect(entries[0]).toMatchObject({ action: 'collection.changed', tenant_id: null });
    expect(JSON.stringify(entries)).not.toContain(worker.key);
  });

  it('comes in pages', async () => {
    const { entries: all } = await audit(admin, '?limit=200');
    const paged: Entry[] = [];
    for (let query = '?limit=2'; ; ) {
      const { entries, next_cursor: cursor } = await audit(admin, query);
      paged.push(...entries);
      expect(entries.length).toBeLessThanOrEqual(2);
      if (cursor === null) break;
      query = `?limit=2&cursor=${cursor}`;
    }

    expect(paged).toEqual(all);
    expect(all.length).toBeGreaterThan(4);
  });

  it.each(['limit=0', 'limit=201', 'cursor=x'])('refuses ?%s', async (query) => {
    const { status, body } = await admin.client.request<ValidationErrorBody>('GET', `/audit?${query}`);

    expect([status, body.detail[0]?.loc[0]]).toEqual([422, 'query']);
  });
});

describe('GET /usage', () => {
  it('counts what each key did today, whichever process answered', async () => {
    const { client, keyId } = await accounts.open(worker.account);
    const upload = lessonUpload(unique('used'), lessons.archive);
    for (let round = 0; round < 4; round++) await client.store({ ...upload, query: `${upload.query} ${round}` });
    for (let round = 0; round < 3; round++) await client.enhance({ tenant_id: unique('none'), input_text: 'Hello' });
    for (let round = 0; round < 2; round++) expect((await client.request('GET', '/usage')).status).toBe(403);
    const bytes = 4 * (JSON.stringify(upload).length + 2);
    const expected = { answers: 3, empty_answers: 3, uploads: 4, bytes, refusals: 2 };

    const read = async () => {
      const { body } = await admin.client.request<Usage>('GET', '/usage?days=2');
      // Around midnight the counts are on two days.
      const counted = body.days.flatMap(({ keys }) => keys).filter(({ key_id: id }) => id === keyId);
      const sum = (name: keyof typeof expected) => counted.reduce((total, one) => total + one[name], 0);
      const names = Object.keys(expected) as (keyof typeof expected)[];
      const sums = Object.fromEntries(names.map((name) => [name, sum(name)]));
      const isComplete = sums['answers'] === 3 && sums['uploads'] === 4 && sums['refusals'] === 2;
      return isComplete ? { days: body.days, sums } : undefined;
    };
    const { days, sums } = await eventually(read, { what: 'every process has reported its counts', withinMs: 30_000 });

    expect(sums).toEqual(expected);
    expect(days.every(({ date }) => /^\d{4}-\d\d-\d\d$/.test(date))).toBe(true);
  });

  it.each(['days=0', 'days=91', 'days=x'])('refuses ?%s', async (query) => {
    expect((await admin.client.request('GET', `/usage?${query}`)).status).toBe(422);
  });
});

describe('GET /uplift', () => {
  it('compares answers with recommendations with those held out, by uploads and feedback, each answer once', async () => {
    const { client } = worker;
    const { request, ask, learnt } = createCurator(client);
    const tenantId = await learnt('ss -ltnp sport = :8443');
    const read = () => request<Uplift>('GET', `/uplift?tenant_id=${tenantId}`, 200);
    const none = { runs: 0, successes: 0, rate: null };
    expect(await read()).toEqual({ with: none, without: none, difference: null, interval: null });
    const answersWith = async (holdoutShare: number) => {
      await request('PATCH', `/collections?tenant_id=${tenantId}`, 200, { holdout_share: holdoutShare });
      const answers = [await ask(tenantId), await ask(tenantId), await ask(tenantId)];
      return answers.map(({ metadata }) => metadata.enhancement_id);
    };
    const tell = (id: string | undefined, success: boolean) =>
      request<{ counted: boolean }>('POST', '/feedback', 200, { tenant_id: tenantId, enhancement_id: id, success });
    const cite = (id: string | undefined, success: boolean) =>
      client.learn({ tenant_id: tenantId, query: unique('run'), turns: [], success, metadata: { enhancement_id: id } });

    const told = await answersWith(0);
    const heldOut = await answersWith(1);
    expect(await tell(told[0], true)).toMatchObject({ counted: true });
    expect(await tell(told[1], true)).toMatchObject({ counted: true });
    await cite(told[2], true);
    expect(await tell(heldOut[0], false)).toMatchObject({ counted: true });
    expect(await tell(heldOut[0], true)).toMatchObject({ counted: false });
    await cite(heldOut[0], true);
    await cite(heldOut[1], false);

    const { interval, ...uplift } = await read();

    expect(uplift).toEqual({
      with: { runs: 3, successes: 3, rate: 1 },
      without: { runs: 2, successes: 0, rate: 0 },
      difference: 1,
    });
    expect(interval?.[0]).toBeGreaterThan(0);
    expect(interval?.[1]).toBe(1);
  });
});

describe('another account', () => {
  it('sees nothing of what was decided, used and measured', async () => {
    const tenantId = await createCurator(worker.client).learnt('ss -ltnp sport = :8443');
    await createCurator(worker.client).request('PATCH', `/collections?tenant_id=${tenantId}`, 200, { review: 'none' });
    const { body: usage, text } = await stranger.client.request<Usage>('GET', '/usage');
    const { entries } = await audit(stranger, '?limit=200');
    const { body: uplift } = await stranger.client.request<Uplift>('GET', `/uplift?tenant_id=${tenantId}`);

    expect(entries.every(({ subject }) => subject === stranger.keyId)).toBe(true);
    expect(usage.days.flatMap(({ keys }) => keys).every(({ key_id: id }) => id === stranger.keyId)).toBe(true);
    expect(text).not.toContain(worker.keyId);
    expect(uplift).toMatchObject({ with: { runs: 0 }, without: { runs: 0 } });
    const foreign = await stranger.client.request<ErrorBody>('GET', `/uplift?tenant_id=${worker.key}`);
    expect([foreign.status, foreign.body.error]).toEqual([403, 'tenant_forbidden']);
    // A cursor of another account is only a time.
    const { next_cursor: cursor } = await audit(admin, '?limit=1');
    expect((await audit(stranger, `?cursor=${cursor}`)).entries.every(({ key_id: id }) => id === null)).toBe(true);
    expect((await createClient(target().baseUrl).request('GET', '/audit')).status).toBe(401);
  });
});
