import { createEnhancementIds, createRootSecrets } from '@whetstone/identity';
import type { LessonKeeper } from './domain/ports.js';
import { call } from './test-kit/call.js';
import { gatewaysOfATest } from './test-kit/gateways-of-a-test.js';
import { rootSecret } from './test-kit/start-gateway.js';
import { collectionId, keyIdIn, startWithLesson } from './test-kit/start-with-lesson.js';

const start = gatewaysOfATest();
const setUp = (lessons?: Partial<LessonKeeper>) => startWithLesson(start, lessons);

describe('POST /feedback', () => {
  const enhancementIds = createEnhancementIds(createRootSecrets(rootSecret));
  const shown = [{ id: 'a.b.c', deeds: [] }];
  const token = (more: object = {}) =>
    enhancementIds.issue(collectionId, { shown, shownAt: 1, holdout: false, ...more });

  it.each([
    [true, true],
    ['no', false],
    [0, false],
  ])('counts %j as an outcome of the answer', async (success, outcome) => {
    const { ask, called, key } = await setUp();

    const { status, body } = await ask('POST', '/feedback', { tenant_id: 'shop', enhancement_id: token(), success });

    expect([status, body.counted]).toEqual([200, true]);
    expect(called.giveFeedback).toEqual([
      {
        collectionId,
        tokenDigest: expect.any(String),
        insightIds: ['a.b.c'],
        arm: 'recommended',
        success: outcome,
        keyId: keyIdIn(key),
        givenAt: expect.any(Number),
      },
    ]);
  });

  it('passes a note on, without secrets', async () => {
    const { ask, called } = await setUp();
    const note = 'wrong host; curl -u root:Hunter2Hunter2 https://example.com worked';
    const body = { tenant_id: 'shop', enhancement_id: token(), success: false };

    expect((await ask('POST', '/feedback', { ...body, note })).status).toBe(200);
    expect((await ask('POST', '/feedback', { ...body, note: null })).status).toBe(200);
    expect((await ask('POST', '/feedback', { ...body, note: ' ' })).status).toBe(422);

    const [noted, plain] = called.giveFeedback;
    expect(noted?.note).toMatch(/^wrong host; curl .* worked$/);
    expect(noted?.note).not.toContain('Hunter2');
    expect(plain).not.toHaveProperty('note');
  });

  it('says if it does not count', async () => {
    const { ask, called } = await setUp({ giveFeedback: async () => ({ counted: false }) });
    const counted = async (enhancementId: string) =>
      (await ask('POST', '/feedback', { tenant_id: 'shop', enhancement_id: enhancementId, success: true })).body
        .counted;

    expect(await counted(token())).toBe(false);
    expect(called.giveFeedback).toHaveLength(1);
  });

  it('counts for the comparison, and for no lesson, if nothing was shown', async () => {
    const { ask, called } = await setUp();
    for (const enhancementId of [token({ holdout: true }), token({ shown: [] })]) {
      const body = { tenant_id: 'shop', enhancement_id: enhancementId, success: true };
      expect(await ask('POST', '/feedback', body)).toMatchObject({ status: 200, body: { counted: true } });
    }

    expect(called.giveFeedback).toMatchObject([
      { arm: 'holdout', insightIds: [] },
      { arm: 'nothing_to_say', insightIds: [] },
    ]);
  });

  it('knows no answers about other collections, and no altered ones', async () => {
    const { ask } = await setUp();
    for (const [tenantId, enhancementId] of [
      ['other', token()],
      ['shop', `${token()}x`],
      ['shop', 'enh_x'],
    ]) {
      const body = { tenant_id: tenantId, enhancement_id: enhancementId, success: true };
      expect(await ask('POST', '/feedback', body)).toMatchObject({ status: 404, body: { error: 'answer_not_found' } });
    }
  });

  it.each([
    [{ success: null }, 'bool_type'],
    [{ success: 'maybe' }, 'bool_parsing'],
    [{}, 'missing'],
  ])('needs an outcome: %j is a 422', async (more, type) => {
    const { ask } = await setUp();
    const body = { tenant_id: 'shop', enhancement_id: token(), ...more };

    expect(await ask('POST', '/feedback', body)).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'success'], type }] },
    });
  });

  it('is open to keys that ask and keys that record', async () => {
    const { url, issueKey } = await setUp();
    const body = { tenant_id: 'shop', enhancement_id: token(), success: true };
    for (const scope of ['ask', 'record', 'curate'] as const) {
      const { key } = await issueKey('acme', { scopes: [scope] });
      expect((await call(url, 'POST', '/feedback', { key, body })).status).toBe(scope === 'curate' ? 403 : 200);
    }
  });
});
