import { type Account, createAccounts, unique } from '../support/accounts.js';
import type { ErrorBody, Lesson, ValidationErrorBody } from '../support/contract.js';
import { type Curator, command, createCurator, type LessonPage, pathOfLesson, task } from '../support/curator.js';
import { lessons as learnable, shellFailure, shellSuccess } from '../support/uploads.js';

const other = 'lsof -nP -iTCP:8443 -sTCP:LISTEN';
const accounts = createAccounts();
let account: Account;
let curator: Curator;

beforeAll(async () => {
  account = await accounts.open();
  curator = createCurator(account.client);
});

describe('GET /lessons', () => {
  it('lists what was learnt, with the id of its recommendation and its runs', async () => {
    const tenantId = await curator.learnt(command, command.replace('ss ', 'ss  '));

    const lesson = await curator.only(tenantId);

    expect(lesson).toMatchObject({ kind: 'strategy', state: 'active', origin: 'reflector', agent_type: 'shell' });
    expect(lesson).toMatchObject({ support: 2, helped: 0, harmed: 0, example: expect.stringContaining('8443') });
    expect(lesson.first_seen <= lesson.last_seen).toBe(true);
    expect((await curator.ask(tenantId)).metadata.recommendations.map(({ id }) => id)).toEqual([lesson.id]);
  });

  it('pages, sorts, filters and searches', async () => {
    const tenantId = await curator.learnt(command, other, other.replace('-nP', '-P'));
    await account.client.learn(shellSuccess(tenantId, task, command.replace('-ltnp', '-ltnp ')));
    const archive = learnable.archive;
    await account.client.learn(shellSuccess(tenantId, archive.task, archive.command));
    const all = await curator.list(tenantId);
    expect(all).toHaveLength(4);
    expect(all[0]?.example).toBe(archive.command);

    const paged: Lesson[] = [];
    let cursor: string | undefined = '';
    while (cursor !== undefined) {
      const query = `tenant_id=${tenantId}&limit=3&cursor=${encodeURIComponent(cursor)}`;
      const page: LessonPage = await curator.request('GET', `/lessons?${query}`, 200);
      paged.push(...page.lessons);
      cursor = page.cursor;
    }
    expect(paged).toEqual(all);
    expect((await curator.list(tenantId, '&sort=support'))[0]).toMatchObject({ support: 2 });
    expect((await curator.list(tenantId, `&q=${encodeURIComponent(archive.asked)}`))[0]?.example).toBe(archive.command);
    expect(await curator.list(tenantId, '&kind=pitfall')).toEqual([]);
    expect(await curator.list(tenantId, '&state=muted')).toEqual([]);
    expect(await curator.list(tenantId, '&agent_type=web')).toEqual([]);
    expect(await curator.list(tenantId, '&agent_type=shell&kind=strategy&state=active')).toHaveLength(4);
  });

  it('of a collection that does not exist is empty, and makes none', async () => {
    expect(await curator.list(unique('nothing'))).toEqual([]);
  });

  it.each([
    ['sort=best', 'sort'],
    ['sort=relevance', 'sort'],
    ['q=x&sort=recent', 'sort'],
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
    ['limit=ten', 'limit'],
    ['state=old', 'state'],
    ['kind=x', 'kind'],
    ['cursor=x', 'cursor'],
    ['limit=1&limit=1', 'limit'],
  ])('%s is a 422 that says where', async (query, field) => {
    const { detail } = await curator.request<ValidationErrorBody>('GET', `/lessons?tenant_id=shop&${query}`, 422);

    expect(detail[0]?.loc).toEqual(['query', field]);
  });
});

describe('GET /lessons/{id}', () => {
  it('tells the runs behind a lesson, and those against it', async () => {
    const tenantId = await curator.learnt(command);
    const { job_id: jobId } = await account.client.learn(shellSuccess(tenantId, task, command, 'LISTEN 0 4096'));
    const lesson = await curator.only(tenantId);
    const turns = [{ turn: 1, inputs: task, decision: 'netstat -q', result: 'netstat: invalid option -- q' }];
    const failed = await account.client.learn(shellFailure(tenantId, task, turns));

    const { evidence, against, decisions } = await curator.details(tenantId, lesson);

    expect(evidence).toHaveLength(2);
    expect(evidence[0]).toMatchObject({ job_id: jobId, task, outcome: 'success', runs: 1 });
    expect(evidence[0]?.steps).toMatchObject([{ turn: 1, action: expect.stringContaining('8443') }]);
    expect(against).toMatchObject([{ job_id: failed.job_id, outcome: 'failure' }]);
    expect(decisions).toEqual([]);
  });

  it('is a 404 for a lesson that is not in the collection, as are its changes', async () => {
    const tenantId = await curator.learnt(command);
    const lesson = await curator.only(tenantId);
    const elsewhere = unique('elsewhere');
    for (const [method, body] of [['GET'], ['PATCH', { state: 'muted' }], ['DELETE']] as const) {
      const unknown = await curator.request<ErrorBody>(method, pathOfLesson(elsewhere, lesson), 404, body);
      const odd = await curator.request<ErrorBody>(method, `/lessons/%27%22%2F..?tenant_id=${tenantId}`, 404, body);
      expect([unknown.error, odd.error]).toEqual(['lesson_not_found', 'lesson_not_found']);
    }
    expect((await curator.ask(tenantId)).response).toContain(command);
  });
});

describe('PATCH /lessons/{id}', () => {
  it('mutes a lesson, and makes it active again', async () => {
    const tenantId = await curator.learnt(command);
    const lesson = await curator.only(tenantId);

    expect(await curator.change(tenantId, lesson, { state: 'muted', note: 'old' })).toMatchObject({ state: 'muted' });
    expect((await curator.ask(tenantId)).response).toBe(task);
    await account.client.learn(shellSuccess(tenantId, task, command, 'once more'));
    expect((await curator.ask(tenantId)).response).toBe(task);
    expect(await curator.only(tenantId)).toMatchObject({ id: lesson.id, state: 'muted', support: 2 });

    expect(await curator.change(tenantId, lesson, { state: 'active' })).toMatchObject({ state: 'active' });
    expect((await curator.ask(tenantId)).response).toContain(command);
    expect((await curator.details(tenantId, lesson)).decisions).toMatchObject([
      { state: 'active', key_id: account.keyId },
      { state: 'muted', note: 'old', key_id: account.keyId },
    ]);
  });

  it('pins a lesson: it comes first', async () => {
    const tenantId = await curator.learnt(command, other);
    const told = async () => (await curator.ask(tenantId)).metadata.recommendations.map(({ id }) => id);
    for (const lesson of await curator.list(tenantId)) {
      await curator.change(tenantId, lesson, { state: 'pinned' });
      expect((await told())[0]).toBe(lesson.id);
      await curator.change(tenantId, lesson, { state: 'active' });
    }
  });

  it('edits the wording part by part; null brings back what was learnt', async () => {
    const tenantId = await curator.learnt(command);
    const lesson = await curator.only(tenantId);
    const before = await curator.ask(tenantId);

    await curator.change(tenantId, lesson, { text: 'Ask ss, not netstat.' });
    const edited = await curator.change(tenantId, lesson, { title: 'Ports', example: 'ss -ltn sport = :8443' });

    expect(edited).toMatchObject({ title: 'Ports', text: 'Ask ss, not netstat.', example: 'ss -ltn sport = :8443' });
    const { response, metadata } = await curator.ask(tenantId);
    expect(response).toContain('Ask ss, not netstat.\n   Example: ss -ltn sport = :8443');
    expect(metadata.recommendations).toMatchObject([{ id: lesson.id, title: 'Ports' }]);
    expect(await curator.change(tenantId, lesson, { title: null, text: null, example: null })).toMatchObject({
      title: lesson.title,
      example: lesson.example,
    });
    expect((await curator.ask(tenantId)).response).toBe(before.response);
  });

  it('keeps no secret that is in a text', async () => {
    const tenantId = await curator.learnt(command);
    const password = unique('not-a-secret');

    const lesson = await curator.change(tenantId, await curator.only(tenantId), {
      text: `Log in with password=${password}`,
    });

    expect(JSON.stringify([lesson, await curator.details(tenantId, lesson)])).not.toContain(password);
  });

  it.each([
    [{}, []],
    [{ state: 'pending' }, ['state']],
    [{ title: 'x'.repeat(201) }, ['title']],
    [{ text: 'x'.repeat(2001) }, ['text']],
    [{ example: 'x'.repeat(4001) }, ['example']],
    [{ note: 'x'.repeat(501) }, ['note']],
    [{ text: ' ' }, ['text']],
  ])('%j is a 422 that says where', async (body, loc) => {
    const { detail } = await curator.request<ValidationErrorBody>('PATCH', '/lessons/x?tenant_id=shop', 422, body);

    expect(detail[0]?.loc).toEqual(['body', ...loc]);
  });
});

it('DELETE /lessons/{id} deletes a lesson for good, and leaves the others', async () => {
  const tenantId = await curator.learnt(command, learnable.archive.command);
  const lesson = (await curator.list(tenantId)).find(({ example }) => example === command) as Lesson;

  const deleted = await curator.request<{ deleted_count: number }>('DELETE', pathOfLesson(tenantId, lesson), 200);

  expect(deleted.deleted_count).toBe(1);
  expect((await curator.list(tenantId)).map(({ id }) => id)).not.toContain(lesson.id);
  expect((await curator.ask(tenantId)).response).not.toContain(command);
  await curator.request('GET', pathOfLesson(tenantId, lesson), 404);
  await curator.request('DELETE', pathOfLesson(tenantId, lesson), 404);
  expect(await curator.list(tenantId)).toHaveLength(1);
});

describe('POST /lessons', () => {
  it('stores a lesson that is told as from the team', async () => {
    const tenantId = unique('written');
    const written = { tenant_id: tenantId, applies_when: task, text: 'Ask the network team first.' };

    const lesson = await curator.request<Lesson>('POST', '/lessons', 201, {
      ...written,
      example: command,
      title: 'Ask',
    });

    expect(lesson).toMatchObject({ state: 'active', origin: 'person', title: 'Ask', text: written.text });
    expect(await curator.only(tenantId)).toEqual(lesson);
    const { response, metadata } = await curator.ask(tenantId);
    expect(response).toContain(`1. [from your team] Ask the network team first.\n   Example: ${command}\n`);
    expect(metadata.recommendations).toMatchObject([{ id: lesson.id, title: 'Ask' }]);
    expect(await curator.details(tenantId, lesson)).toMatchObject({ evidence: [], against: [] });
  });

  it('told words that come back in an upload are not learnt', async () => {
    const tenantId = unique('written');
    const text = 'Ask the network team before you look.';
    await curator.request('POST', '/lessons', 201, { tenant_id: tenantId, applies_when: task, text });
    const { response } = await curator.ask(tenantId);

    await account.client.learn(shellSuccess(tenantId, response, command));

    const learned = (await curator.list(tenantId)).filter(({ origin }) => origin !== 'person');
    expect(JSON.stringify(learned)).not.toContain('network team');
  });
});
