import { createHmac } from 'node:crypto';
import { AppError } from '@whetstone/platform';
import type { LessonKeeper } from './domain/ports.js';
import { gatewaysOfATest } from './test-kit/gateways-of-a-test.js';
import {
  answer,
  collectionId,
  decision,
  details,
  keyIdIn,
  lesson,
  startWithLesson,
} from './test-kit/start-with-lesson.js';

const start = gatewaysOfATest();
const setUp = (lessons?: Partial<LessonKeeper>) => startWithLesson(start, lessons);
// Redaction recognises what looks like a token; this one opens nothing.
const secret = `ghp_${createHmac('sha256', 'x').update('y').digest('hex').slice(0, 36)}`;
const path = `/lessons/${lesson.id}?tenant_id=shop`;

describe('GET /lessons', () => {
  it('lists a page of a collection, with what was asked for', async () => {
    const { ask, called } = await setUp({ listLessons: async () => ({ lessons: [lesson], cursor: 'next' }) });

    const { status, body } = await ask('GET', '/lessons?tenant_id=shop&kind=strategy&sort=harm&limit=7&cursor=abc');

    expect([status, body]).toEqual([200, { lessons: [answer], cursor: 'next' }]);
    expect(called.listLessons).toEqual([{ collectionId, kind: 'strategy', sort: 'harm', limit: 7, cursor: 'abc' }]);
  });

  it('leaves out what a lesson does not have, and the cursor of the last page', async () => {
    const { appliesWhen: _, example: __, agentType: ___, ...bare } = lesson;
    const { ask } = await setUp({ listLessons: async () => ({ lessons: [bare] }) });

    const { body } = await ask('GET', '/lessons?tenant_id=shop');

    const { applies_when: ____, example: _____, agent_type: ______, ...rest } = answer;
    expect(body).toEqual({ lessons: [rest] });
  });

  it('a cursor of another list is a 422, another failure a 500', async () => {
    let error = new AppError('invalid_argument', 'cursor');
    const { ask } = await setUp({ listLessons: () => Promise.reject(error) });

    const refused = await ask('GET', '/lessons?tenant_id=shop&cursor=x');
    error = new AppError('store_unavailable', 'down', { retryable: true });
    const failed = await ask('GET', '/lessons?tenant_id=shop&cursor=x');

    expect(refused).toMatchObject({ status: 422, body: { detail: [{ loc: ['query', 'cursor'] }] } });
    expect(failed).toMatchObject({ status: 500, body: { error: 'lessons_failed' } });
    expect(failed.headers.get('retry-after')).toBe('5');
  });
});

describe('GET /lessons/{id}', () => {
  it('tells the lesson with its runs, decisions, votes and notes', async () => {
    const steps = [{ turn: 1, action: 'ls', outcome: 'ok', note: 'a.log' } as const];
    const run = { outcome: 'success', judged: true, uses: ['ls'], changes: [], steps } as const;
    const evidence = { jobId: 'job_1', task: 'List logs', acceptedAt: lesson.firstSeen, runs: 3 };
    const { ask } = await setUp({
      getLesson: async () => ({
        lesson,
        evidence: [{ ...evidence, run: { ...run, uses: [], changes: [], steps: [...steps] } }],
        against: [{ ...evidence, runs: 1, run: { ...run, outcome: 'failure', uses: [], changes: [], steps: [] } }],
        decisions: [{ ...decision, note: 'ours', wording: { text: 'Use ls.' } }],
        votes: [{ day: 20_521, helped: 2, harmed: 1 }],
        notes: [{ givenAt: lesson.lastSeen, success: false, note: 'the disk was full' }],
      }),
    });

    const { status, body } = await ask('GET', path);

    const told = { job_id: 'job_1', task: 'List logs', accepted_at: answer.first_seen, judged: true };
    expect(status).toBe(200);
    expect(body).toEqual({
      ...answer,
      evidence: [{ ...told, outcome: 'success', runs: 3, steps }],
      against: [{ ...told, outcome: 'failure', runs: 1, steps: [] }],
      decisions: [{ state: 'pinned', text: 'Use ls.', note: 'ours', key_id: 'k', decided_at: answer.last_seen }],
      votes: [{ date: '2026-03-09', helped: 2, harmed: 1 }],
      notes: [{ given_at: answer.last_seen, success: false, note: 'the disk was full' }],
    });
  });

  it.each(['GET', 'PATCH', 'DELETE'])('%s of an unknown lesson is a 404, and changes nothing', async (method) => {
    const { ask, called } = await setUp({ getLesson: async () => ({ ...details, lesson: undefined as never }) });
    const body = method === 'PATCH' ? { state: 'muted' } : undefined;

    const unknown = await ask(method, path, body);
    const odd = await ask(method, `/lessons/${encodeURIComponent('a/b"c')}?tenant_id=shop`, body);

    expect(unknown).toMatchObject({ status: 404, body: { error: 'lesson_not_found' } });
    expect(odd.body).toEqual({ ...unknown.body, request_id: expect.any(String) });
    expect([called.getLesson.length, called.decideLesson, called.deleteLesson]).toEqual([1, [], []]);
  });
});

describe('PATCH /lessons/{id}', () => {
  it('records who decided what, why and when', async () => {
    const { ask, called, key } = await setUp();

    const { status, body } = await ask('PATCH', path, { state: 'muted', note: `it printed ${secret}` });

    expect([status, body]).toEqual([200, answer]);
    expect(called.decideLesson).toEqual([
      {
        collectionId,
        decision: {
          lesson: lesson.id,
          state: 'muted',
          note: expect.stringMatching(/^it printed (?!ghp_)/),
          keyId: keyIdIn(key),
          decidedAt: expect.any(Number),
        },
      },
    ]);
  });

  it('edits the wording part by part, and null brings back what was learnt', async () => {
    const before = [decision, { ...decision, wording: { title: 'T', text: 'old' } }, { ...decision, wording: {} }];
    const { ask, called } = await setUp({ getLesson: async () => ({ ...details, decisions: before }) });
    const wordingAfter = async (change: object) => {
      expect((await ask('PATCH', path, change)).status).toBe(200);
      return called.decideLesson.at(-1)?.decision.wording;
    };

    expect(await wordingAfter({ text: 'new', state: null })).toEqual({ title: 'T', text: 'new' });
    expect(await wordingAfter({ example: `curl -H 'Authorization: Bearer ${secret}'` })).toEqual({
      title: 'T',
      text: 'old',
      example: expect.not.stringContaining(secret),
    });
    expect(await wordingAfter({ title: null })).toEqual({ text: 'old' });
    expect(await wordingAfter({ title: null, text: null })).toEqual({});
    expect(await wordingAfter({ state: 'active' })).toBeUndefined();
  });

  it.each([
    [{}, [], 'value_error'],
    [{ state: null, note: null }, [], 'value_error'],
    [{ state: 'pending' }, ['state'], 'literal_error'],
    [{ title: 'x'.repeat(201) }, ['title'], 'string_too_long'],
    [{ text: 'x'.repeat(2001) }, ['text'], 'string_too_long'],
    [{ example: 'x'.repeat(4001) }, ['example'], 'string_too_long'],
    [{ note: 'x'.repeat(501) }, ['note'], 'string_too_long'],
    [{ text: '' }, ['text'], 'string_too_short'],
    [{ text: ' \n' }, ['text'], 'string_too_short'],
    [{ text: 7 }, ['text'], 'string_type'],
    [[], [], 'model_attributes_type'],
  ])('%j is a 422', async (body, loc, type) => {
    const { ask } = await setUp();

    expect(await ask('PATCH', path, body)).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', ...loc], type }] },
    });
  });

  it('tells the problems of the query and of the body at once', async () => {
    const { ask } = await setUp();

    const { status, body } = await ask('PATCH', `/lessons/${lesson.id}`, { state: 'x' });

    expect(status).toBe(422);
    expect(body.detail.map(({ loc }: { loc: string[] }) => loc[1])).toEqual(['tenant_id', 'state']);
  });
});

it('DELETE /lessons/{id} deletes what was accepted until now', async () => {
  const { ask, called } = await setUp();

  const { status, body } = await ask('DELETE', path);

  expect([status, body]).toEqual([200, { deleted_count: 2, status: 'Successfully deleted the lesson' }]);
  expect(called.deleteLesson).toEqual([{ collectionId, lesson: lesson.id, requestedAt: expect.any(Number) }]);
});

describe('POST /lessons', () => {
  const written = { tenant_id: 'shop', applies_when: 'Deploy the shop', text: 'Tell ops first.' };

  it('stores a lesson without secrets', async () => {
    const { ask, called, key } = await setUp();
    const more = { title: `t ${secret}`, example: `e ${secret}`, agent_type: 'shell' };

    const { status, body } = await ask('POST', '/lessons', { ...written, text: `use ${secret}`, ...more });
    await ask('POST', '/lessons', { ...written, title: null, example: null, agent_type: null });

    expect([status, body]).toEqual([201, answer]);
    const by = { collectionId, appliesWhen: 'Deploy the shop', keyId: keyIdIn(key), writtenAt: expect.any(Number) };
    expect(called.writeLesson).toEqual([
      { ...by, text: expect.any(String), title: expect.any(String), example: expect.any(String), agentType: 'shell' },
      { ...by, text: 'Tell ops first.' },
    ]);
    expect(JSON.stringify(called)).not.toContain(secret);
  });

  it.each([
    [{ text: 'x' }, [['tenant_id'], ['applies_when']]],
    [{ ...written, applies_when: ' ' }, [['applies_when']]],
    [
      { ...written, title: 'x'.repeat(201), text: 'x'.repeat(2001), example: 'x'.repeat(4001) },
      [['text'], ['title'], ['example']],
    ],
    [{ ...written, text: null }, [['text']]],
  ])('%j is a 422', async (body, locs) => {
    const { ask } = await setUp();
    const { status, body: told } = await ask('POST', '/lessons', body);

    expect([status, told.detail.map(({ loc }: { loc: string[] }) => loc.slice(1))]).toEqual([422, locs]);
  });

  it('one too many collections is a 409', async () => {
    const { ask } = await setUp({ writeLesson: () => Promise.reject(new AppError('too_many_collections', 'full')) });

    expect(await ask('POST', '/lessons', written)).toMatchObject({
      status: 409,
      body: { error: 'too_many_collections' },
    });
  });
});
