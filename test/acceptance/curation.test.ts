import { type Account, createAccounts, unique } from '../support/accounts.js';
import type { Candidate, EnhancedResponse, ErrorBody, ValidationErrorBody } from '../support/contract.js';
import { type Curator, command, createCurator, task } from '../support/curator.js';
import { lessons as learnable, shellSuccess } from '../support/uploads.js';

const accounts = createAccounts();
let account: Account;
let curator: Curator;

beforeAll(async () => {
  account = await accounts.open();
  curator = createCurator(account.client);
});

describe('POST /feedback', () => {
  const tell = async (tenantId: string, token: string, success: boolean) =>
    (
      await curator.request<{ counted: boolean }>('POST', '/feedback', 200, {
        tenant_id: tenantId,
        enhancement_id: token,
        success,
      })
    ).counted;

  it('moves the votes, once for each answer', async () => {
    const tenantId = await curator.learnt(command);
    const first = (await curator.ask(tenantId)).metadata.enhancement_id;
    const second = (await curator.ask(tenantId)).metadata.enhancement_id;

    expect([await tell(tenantId, first, true), await tell(tenantId, first, false)]).toEqual([true, false]);
    expect(await tell(tenantId, second, false)).toBe(true);

    expect(await curator.only(tenantId)).toMatchObject({ helped: 1, harmed: 1 });
    expect((await curator.list(tenantId, '&sort=harm'))[0]).toMatchObject({ harmed: 1 });
  });

  it('is told with the lesson: outcomes by day, and notes without secrets', async () => {
    const tenantId = await curator.learnt(command);
    const answers = [];
    for (let asked = 0; asked < 3; asked++) answers.push((await curator.ask(tenantId)).metadata.enhancement_id);
    const noted = [
      { success: true, note: 'Right at once <script>' },
      { success: false, note: 'Needs curl -u root:Hunter2Hunter2 here' },
      { success: true },
    ];
    for (const [at, feedback] of noted.entries()) {
      const body = { tenant_id: tenantId, enhancement_id: answers[at], ...feedback };
      await curator.request('POST', '/feedback', 200, body);
    }

    const { votes, notes } = await curator.details(tenantId, await curator.only(tenantId));

    const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);
    expect([sum(votes.map(({ helped }) => helped)), sum(votes.map(({ harmed }) => harmed))]).toEqual([2, 1]);
    expect(votes[0]?.date).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(notes).toMatchObject([{ success: false }, { success: true, note: 'Right at once <script>' }]);
    expect(JSON.stringify(notes)).not.toContain('Hunter2');
  });

  it('and an upload that cites the answer count once together', async () => {
    const tenantId = await curator.learnt(command);
    const token = (await curator.ask(tenantId)).metadata.enhancement_id;
    expect(await tell(tenantId, token, true)).toBe(true);

    const cites = { metadata: { enhancement_id: token }, success: false };
    await account.client.learn({ tenant_id: tenantId, query: unique('Tell the outcome'), turns: [], ...cites });

    expect(await curator.only(tenantId)).toMatchObject({ helped: 1, harmed: 0 });
  });

  it('knows only answers about the collection', async () => {
    const tenantId = await curator.learnt(command);
    const token = (await curator.ask(tenantId)).metadata.enhancement_id;
    const body = { tenant_id: unique('elsewhere'), enhancement_id: token, success: true };

    expect((await curator.request<ErrorBody>('POST', '/feedback', 404, body)).error).toBe('answer_not_found');
  });

  it.each([{}, { success: null }, { success: 'maybe' }])('needs an outcome: %j is a 422', async (more) => {
    const body = { tenant_id: 'shop', enhancement_id: 'enh_x', ...more };

    const { detail } = await curator.request<ValidationErrorBody>('POST', '/feedback', 422, body);

    expect(detail[0]?.loc).toEqual(['body', 'success']);
  });
});

describe('a collection that requires review', () => {
  it('tells what was approved, pinned or written, and nothing else', async () => {
    const tenantId = await curator.learnt(command);
    const lesson = await curator.only(tenantId);
    const review = (how: string) =>
      curator.request<{ review: string }>('PATCH', `/collections?tenant_id=${tenantId}`, 200, { review: how });

    expect(await review('required')).toMatchObject({ review: 'required' });
    expect(await curator.only(tenantId)).toMatchObject({ state: 'pending' });
    expect((await curator.ask(tenantId)).response).toBe(task);
    expect(await curator.list(tenantId, '&state=pending')).toHaveLength(1);

    await curator.change(tenantId, lesson, { state: 'approved' });
    expect((await curator.ask(tenantId)).response).toContain(command);
    await curator.change(tenantId, lesson, { state: 'rejected' });
    expect((await curator.ask(tenantId)).response).toBe(task);
    await curator.request('POST', '/lessons', 201, { tenant_id: tenantId, applies_when: task, text: 'Ask first.' });
    expect((await curator.ask(tenantId)).response).toContain('[from your team] Ask first.');

    await review('none');
    expect((await curator.ask(tenantId)).response).not.toContain(command);
  });
});

describe('POST /enhance_task?explain=true', () => {
  async function explain(tenantId: string, text: string): Promise<{ response: string; reasons: Candidate[] }> {
    const { response, metadata } = await curator.request<EnhancedResponse>('POST', '/enhance_task?explain=true', 200, {
      tenant_id: tenantId,
      input_text: text,
      agent_type: 'shell',
    });
    return { response, reasons: metadata.explanation ?? [] };
  }

  it('names of every candidate why it was told or not', async () => {
    const tenantId = await curator.learnt(command);
    const lesson = await curator.only(tenantId);
    await account.client.learn(shellSuccess(tenantId, learnable.archive.task, learnable.archive.command));

    const { response, reasons } = await explain(tenantId, task);

    expect(response).toBe((await curator.ask(tenantId)).response);
    expect(reasons).toMatchObject([
      { id: lesson.id, told: true, reason: 'told' },
      { told: false, reason: 'below_floor', because: expect.stringMatching(/\.$/) },
    ]);
    await curator.change(tenantId, lesson, { state: 'muted' });
    expect((await explain(tenantId, task)).reasons[0]).toMatchObject({ id: lesson.id, told: false, reason: 'muted' });
    expect((await curator.ask(tenantId)).metadata).not.toHaveProperty('explanation');
  });

  it('needs a key that may curate', async () => {
    const { client } = await accounts.open(account.account, ' --scope ask');

    const answer = await client.request<ErrorBody>('POST', '/enhance_task?explain=true', {
      body: { tenant_id: 'shop', input_text: task },
    });

    expect([answer.status, answer.body.error]).toEqual([403, 'scope_missing']);
    expect(answer.body.message).toBe('This key may ask; enhance_task?explain=true needs curate');
  });
});
