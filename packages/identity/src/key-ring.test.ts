import { defaultScopes, type KeyEvent, type Scope, type Trust } from '@whetstone/contracts';
import fc from 'fast-check';
import { createApiKeys, issueKey, keyOfKeyEvent, revokeKey } from './api-keys.js';
import { createKeyRing, statusOfKey } from './key-ring.js';
import { roots } from './test-kit.js';

const apiKeys = createApiKeys(roots);
const issue = (account = 'acme', at = 100, more: { trust?: Trust; scopes?: Scope[]; expiresAt?: number } = {}) =>
  issueKey(apiKeys, { account, approvedBy: 'Ada', reason: 'first team', ...more }, at);
const revoke = (keyId: string, effectiveAt: number, revokedAt = 150) =>
  revokeKey({ keyId, reason: 'left', revokedAt, effectiveAt });

describe('the key ring', () => {
  it('authenticates a key that was issued, as the account that it was issued to', () => {
    const { key, event } = issue();
    const ring = ringOf(event);

    const caller = { keyId: event.keyId, account: 'acme', scopes: ['ask', 'record', 'curate'] };
    expect(ring.authenticate(key, 100)).toEqual(caller);
    expect(ring.authenticate(key, 101)).toEqual(caller);
  });

  it.each(['low', 'high'] as const)('says of a key of %s trust that it is, and of any other nothing', (trust) => {
    const [trusted, normal, unsaid] = [issue('acme', 100, { trust }), issue('acme', 101, { trust: 'normal' }), issue()];
    const ring = ringOf(trusted.event, normal.event, unsaid.event);

    expect(ring.authenticate(trusted.key, 100)).toMatchObject({ keyId: trusted.event.keyId, account: 'acme', trust });
    expect(ring.authenticate(normal.key, 100)).not.toHaveProperty('trust');
    expect(ring.authenticate(unsaid.key, 100)).not.toHaveProperty('trust');
    expect(new Set(ring.list().map((record) => record.trust))).toEqual(new Set([trust, 'normal']));
  });

  it('looks up by its id who holds a key, as long as it is valid', () => {
    const [kept, revoked] = [issue('acme', 100, { expiresAt: 300 }), issue()];
    const ring = ringOf(kept.event, revoked.event, revoke(revoked.event.keyId, 200));

    expect(ring.lookUp(kept.event.keyId, 299)).toEqual(ring.authenticate(kept.key, 299));
    expect(ring.lookUp(kept.event.keyId, 300)).toBeUndefined();
    expect(ring.lookUp(revoked.event.keyId, 199)).toBeDefined();
    expect(ring.lookUp(revoked.event.keyId, 200)).toBeUndefined();
    expect(ring.lookUp('0000000000000000', 200)).toBeUndefined();
  });

  it('says whether several valid keys of an account may upload', () => {
    const [first, second, third] = [issue('acme', 100), issue('acme', 100, { expiresAt: 300 }), issue('other')];
    const reader = issue('acme', 100, { scopes: ['ask'] });
    const ring = ringOf(first.event, first.event, reader.event, third.event);

    expect(ring.hasSeveralUploaders('acme', 200)).toBe(false);
    ring.apply(second.event);
    expect(ring.hasSeveralUploaders('acme', 299)).toBe(true);
    expect(ring.hasSeveralUploaders('acme', 300)).toBe(false);
    ring.apply(revoke(first.event.keyId, 150));
    expect(ring.hasSeveralUploaders('acme', 200)).toBe(false);
    expect(ring.hasSeveralUploaders('nobody', 200)).toBe(false);
  });

  it('authenticates nothing else', () => {
    const { key, event } = issue();
    const ring = ringOf(event);
    const sameId = { ...apiKeys.generate(), keyId: event.keyId };

    expect(ringOf().authenticate(key, 100)).toBeUndefined();
    expect(ring.authenticate(issue().key, 100)).toBeUndefined();
    expect(ring.authenticate(`wst_${sameId.keyId}_${sameId.secret}_000000`, 100)).toBeUndefined();
    expect(ring.authenticate(`${key} `, 100)).toBeUndefined();
    expect(ring.authenticate('', 100)).toBeUndefined();
  });

  it('refuses a revoked key from the moment on that the revocation says, hot or not', () => {
    const { key, event } = issue();
    const ring = ringOf(event);
    expect(ring.authenticate(key, 150)).toBeDefined();

    ring.apply(revoke(event.keyId, 200));

    expect(ring.authenticate(key, 199)).toBeDefined();
    expect(ring.authenticate(key, 200)).toBeUndefined();
    expect(ring.authenticate(key, 1000)).toBeUndefined();
  });

  it('refuses a key from the moment on that it expires, or is revoked before', () => {
    const [expiring, revoked] = [issue('acme', 100, { expiresAt: 200 }), issue('acme', 100, { expiresAt: 200 })];
    const ring = ringOf(expiring.event, revoked.event, revoke(revoked.event.keyId, 150));

    expect(ring.authenticate(expiring.key, 199)).toBeDefined();
    expect(ring.authenticate(expiring.key, 200)).toBeUndefined();
    expect(ring.authenticate(revoked.key, 150)).toBeUndefined();
    expect(ring.ownsKey('acme', expiring.key)).toBe(true);
  });

  it('knows what a key may do', () => {
    const { key, event } = issue('acme', 100, { scopes: ['admin', 'ask', 'ask'] });

    expect(event.scopes).toEqual(['ask', 'admin']);
    expect(ringOf(event).authenticate(key, 100)?.scopes).toEqual(['ask', 'admin']);
  });

  it('tells whether a key is active, ending, expired or revoked', () => {
    const { event } = issue('acme', 100, { expiresAt: 300 });
    const status = (now: number, ...events: KeyEvent[]) =>
      ringOf(event, ...events)
        .list()
        .map((record) => statusOfKey(record, now));

    expect([...status(299), ...status(300)]).toEqual(['active', 'expired']);
    const ending = revoke(event.keyId, 200);
    expect([...status(199, ending), ...status(200, ending)]).toEqual(['ending', 'revoked']);
    expect(status(300, revoke(event.keyId, 400))).toEqual(['expired']);
  });

  it('comes to the same whatever the order of the events, and however often they come', () => {
    const { key, event } = issue();
    const events = [event, revoke(event.keyId, 300), revoke(event.keyId, 200), event];
    fc.assert(
      fc.property(fc.shuffledSubarray(events, { minLength: 4 }), (order) => {
        const ring = ringOf(...order);
        expect(ring.authenticate(key, 199)).toBeDefined();
        expect(ring.authenticate(key, 200)).toBeUndefined();
        expect(ring.list()).toHaveLength(1);
      }),
    );
  });

  it('knows the keys of an account, revoked ones too', () => {
    const [old, current, foreign] = [issue(), issue(), issue('other')];
    const ring = ringOf(old.event, current.event, foreign.event, revoke(old.event.keyId, 0));

    expect(ring.ownsKey('acme', old.key)).toBe(true);
    expect(ring.ownsKey('acme', current.key)).toBe(true);
    expect(ring.ownsKey('acme', foreign.key)).toBe(false);
    expect(ring.ownsKey('acme', issue().key)).toBe(false);
    expect(ring.ownsKey('acme', 'webarena')).toBe(false);
  });

  it('lists what is known of each key, oldest first, and no hash', () => {
    const [second, first] = [issue('b', 200), issue('a', 100)];
    const audit = { approvedBy: 'Ada', reason: 'first team', trust: 'normal', scopes: defaultScopes };

    expect(ringOf(second.event, first.event, revoke(first.event.keyId, 300)).list()).toEqual([
      {
        keyId: first.event.keyId,
        account: 'a',
        issuedAt: 100,
        ...audit,
        revocation: { revokedAt: 150, effectiveAt: 300, reason: 'left' },
      },
      { keyId: second.event.keyId, account: 'b', issuedAt: 200, ...audit },
    ]);
  });

  it('lists the keys of one account', () => {
    const [own, foreign] = [issue('a'), issue('b')];

    expect(
      ringOf(own.event, foreign.event)
        .list('a')
        .map(({ keyId }) => keyId),
    ).toEqual([own.event.keyId]);
  });

  it('does the costly verification of a hot key once, and keeps what it remembers bounded', () => {
    let verifications = 0;
    const verify: typeof apiKeys.verify = (...given) => {
      verifications++;
      return apiKeys.verify(...given);
    };
    const ring = createKeyRing({ ...apiKeys, verify }, { rememberedKeys: 2 });
    const keys = [issue(), issue(), issue()];
    for (const { event } of keys) ring.apply(event);
    const use = (...order: number[]) => {
      verifications = 0;
      for (const index of order) expect(ring.authenticate(keys[index]?.key ?? '', 100)).toBeDefined();
      return verifications;
    };

    expect(use(0, 0, 0)).toBe(1);
    expect(use(0, 1, 0, 1)).toBe(1);
    expect(use(2, 1)).toBe(1);
    expect(use(0)).toBe(1);
  });
});

describe('issuing a key', () => {
  it('makes an event that carries the audit fields and not the key', () => {
    const { key, event } = issue(' acme ', 123);

    expect(event).toMatchObject({
      type: 'issued',
      account: 'acme',
      issuedAt: 123,
      approvedBy: 'Ada',
      reason: 'first team',
    });
    const secret = key.split('_')[2] ?? '';
    expect(JSON.stringify(event)).not.toContain(secret);
  });

  it.each(['', '   ', 'two\nlines', 'a'.repeat(129)])('refuses the account %j', (account) => {
    expect(() => issue(account)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  });

  it('records a trust only where it is not the normal one, and knows no other than three', () => {
    expect(issue('acme', 1, { trust: 'low' }).event.trust).toBe('low');
    expect(issue('acme', 1, { trust: 'normal' }).event).not.toHaveProperty('trust');
    expect(issue().event).not.toHaveProperty('trust');
    expect(() => issue('acme', 1, { trust: 'full' as Trust })).toThrow('one of low, normal, high');
  });

  it('records scopes only where they are not the default ones, and refuses others', () => {
    expect(issue('acme', 1, { scopes: ['curate', 'record', 'ask'] }).event).not.toHaveProperty('scopes');
    expect(() => issue('acme', 1, { scopes: [] })).toThrow('one or more of ask, record, curate, admin');
    expect(() => issue('acme', 1, { scopes: ['ask', 'all' as Scope] })).toThrow('one or more of');
  });

  it.each([Number.NaN, 99, 100, 100 + 3651 * 86_400e6])('refuses to let a key expire at %d', (expiresAt) => {
    expect(() => issue('acme', 100, { expiresAt })).toThrow('in the future, at most ten years from now');
  });

  it('stands in the log beside its revocation, not in its place', () => {
    const { event } = issue();

    expect(keyOfKeyEvent(event)).toBe(`${event.keyId}:issued`);
    expect(keyOfKeyEvent(revoke(event.keyId, 1))).toBe(`${event.keyId}:revoked`);
  });
});

function ringOf(...events: KeyEvent[]) {
  const ring = createKeyRing(apiKeys);
  for (const event of events) ring.apply(event);
  return ring;
}
