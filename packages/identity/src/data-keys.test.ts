import type { DataKeyCreated, DataKeyEvent } from '@whetstone/contracts';
import { decrypt, encrypt } from '@whetstone/platform';
import fc from 'fast-check';

import { accountPrefixOf, workflowCollectionIdOf } from './collection-ids.js';
import { createDataKey, createDataKeyRing, type DataKey, type DataKeyRing, keyOfDataKeyEvent } from './data-keys.js';
import { otherRoots, roots, rotatedRoots } from './test-kit.js';

const created = createDataKey(roots, 'c1', 1);
const { collectionId, dataKeyId } = created;
const retired: DataKeyEvent = { type: 'retired', collectionId, dataKeyId, retiredAt: 2 };
const destroyed: DataKeyEvent = { type: 'destroyed', collectionId, dataKeyId, destroyedAt: 3 };

function ringOf(...events: DataKeyEvent[]): DataKeyRing {
  return ringWith(roots, events);
}

function ringWith(secrets: typeof roots, events: DataKeyEvent[], rememberedKeys?: number): DataKeyRing {
  const ring = createDataKeyRing(secrets, rememberedKeys === undefined ? {} : { rememberedKeys });
  for (const event of events) ring.apply(event);
  return ring;
}

function keyIn(ring: DataKeyRing, event: DataKeyCreated = created): DataKey | 'destroyed' | undefined {
  return ring.find(event.collectionId, event.dataKeyId);
}

describe('a data key', () => {
  it('is used for new uploads until it is retired, and opens old ones until it is destroyed', () => {
    const key = keyIn(ringOf(created)) as DataKey;

    expect([key.id, key.bytes.length]).toEqual([dataKeyId, 32]);
    expect(ringOf(created).active('c1')).toEqual(key);
    expect(ringOf(created, retired).active('c1')).toBeUndefined();
    expect(keyIn(ringOf(created, retired))).toEqual(key);
    expect(ringOf(created, retired).living('c1')).toEqual([dataKeyId]);
    expect(keyIn(ringOf(created, retired, destroyed))).toBe('destroyed');
    expect(ringOf(created, retired, destroyed).living('c1')).toEqual([]);
  });

  it('is in the same state in whatever order the events arrive, and however often', () => {
    const events = [created, retired, destroyed];
    fc.assert(
      fc.property(fc.subarray(events, { minLength: 1 }), fc.array(fc.nat(), { maxLength: 6 }), (some, extra) => {
        const again = extra.map((index) => some[index % some.length] as DataKeyEvent);
        const ordered = ringOf(...some);
        for (const disorder of [[...again, ...some], [...some, ...again], [...some].reverse()]) {
          const ring = ringOf(...disorder);
          expect([keyIn(ring), ring.active('c1'), ring.living('c1')]).toEqual([
            keyIn(ordered),
            ordered.active('c1'),
            ordered.living('c1'),
          ]);
        }
      }),
    );
  });

  it('is forgotten once destroyed, also if it was in use', () => {
    const ring = ringOf(created);
    expect(ring.active('c1')).toBeDefined();
    ring.apply(destroyed);

    expect([ring.active('c1'), keyIn(ring)]).toEqual([undefined, 'destroyed']);
  });

  it('belongs to its collection and its id: nothing else unwraps it', () => {
    const moved = { ...created, collectionId: 'c2' };
    const renamed = { ...created, dataKeyId: 'another' };
    const tampered = { ...created, wrappedKey: `${created.wrappedKey.slice(0, -5)}AAAA=` };

    expect([moved, renamed, tampered].map((event) => keyIn(ringOf(event), event))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(ringOf(created).find('c2', dataKeyId)).toBeUndefined();
  });

  it('of a previous root opens what it encrypted, and is used for nothing new', () => {
    const key = keyIn(ringOf(created)) as DataKey;
    const encrypted = encrypt(key.bytes, 'job_1', Buffer.from('text'));
    const after = ringWith(rotatedRoots, [created]);

    const { bytes } = keyIn(after) as DataKey;
    expect(decrypt(bytes, 'job_1', encrypted).toString()).toBe('text');
    expect(after.active('c1')).toBeUndefined();
    expect(ringWith(otherRoots, [created]).find('c1', dataKeyId)).toBeUndefined();
    expect(ringWith(otherRoots, [created]).living('c1')).toEqual([dataKeyId]);
  });

  it('is unwrapped again if others have taken its place in the cache', () => {
    const other = createDataKey(roots, 'c2', 1);
    const ring = ringWith(roots, [created, other], 1);
    const first = keyIn(ring);

    expect(keyIn(ring, other)).not.toEqual(first);
    expect(keyIn(ring)).toEqual(first);
  });

  it('counts for its account, once per collection, also after it is destroyed', () => {
    const of = (account: string, tenant: string) => createDataKey(roots, workflowCollectionIdOf(account, tenant), 1);
    const ring = ringOf(of('a', 'x'), of('a', 'x'), of('a', 'y'), of('b', 'x'));

    const counts = ['a', 'b', 'c'].map((account) => ring.collectionsOf(accountPrefixOf(account)));
    expect(counts).toEqual([2, 1, 0]);
  });

  it('is one of several that two gateways may have made at once', () => {
    const second = createDataKey(roots, 'c1', 1);
    const ring = ringOf(created, second, retired);

    expect(ring.active('c1')?.id).toBe(second.dataKeyId);
    expect(ring.living('c1')).toEqual([dataKeyId, second.dataKeyId]);
  });
});

describe('the key of its events', () => {
  it('lets compaction drop the wrapped key once it is destroyed, and not before', () => {
    expect(keyOfDataKeyEvent(created)).toBe(`c1:${dataKeyId}`);
    expect(keyOfDataKeyEvent(destroyed)).toBe(keyOfDataKeyEvent(created));
    expect(keyOfDataKeyEvent(retired)).toBe(`c1:${dataKeyId}:retired`);
  });
});

describe('the collections of an account', () => {
  const [shop, bank] = [workflowCollectionIdOf('acme', 'shop'), workflowCollectionIdOf('acme', 'bank')];
  const prefix = accountPrefixOf('acme');
  const named = createDataKey(roots, shop, 5, 'shop');
  const unnamed = createDataKey(roots, bank, 3);
  const gone = { type: 'destroyed', collectionId: shop, dataKeyId: named.dataKeyId, destroyedAt: 9 } as const;

  it('are listed the oldest first, with the names that came with their keys, until these are destroyed', () => {
    const all = [
      { collectionId: bank, createdAt: 3 },
      { collectionId: shop, createdAt: 5, name: 'shop' },
    ];
    expect(JSON.stringify(named)).not.toContain('"shop"');
    expect(ringOf(named, unnamed).list(prefix, 9)).toEqual(all);
    expect(ringOf(named, unnamed).list(accountPrefixOf('rivals'), 9)).toEqual([]);
    for (const events of [
      [named, unnamed, gone],
      [gone, unnamed, named],
    ]) {
      const ring = ringOf(...events);
      expect(ring.list(prefix, 9)).toEqual([{ collectionId: bank, createdAt: 3 }]);
      expect([ring.isNamed(shop), ring.knows(shop)]).toEqual([false, true]);
    }
  });

  it('have the name that a later key brings, and none that another root sealed', () => {
    const later = createDataKey(roots, bank, 7, 'bank');
    const ring = ringOf(unnamed);
    expect([ring.isNamed(bank), ring.list(prefix, 1)]).toEqual([false, [{ collectionId: bank, createdAt: 3 }]]);
    ring.apply(later);
    expect([ring.isNamed(bank), ring.list(prefix, 1)]).toEqual([
      true,
      [{ collectionId: bank, createdAt: 3, name: 'bank' }],
    ]);
    expect(ringWith(otherRoots, [later]).list(prefix, 1)).toEqual([{ collectionId: bank, createdAt: 7 }]);
  });

  it('are paged from any place, also among 50,000', () => {
    const { wrappedKey } = named;
    const ids = Array.from({ length: 50_000 }, (_, at) => workflowCollectionIdOf('acme', String(at)));
    const ring = ringOf(
      ...ids.map((id, at): DataKeyCreated => {
        return { type: 'created', collectionId: id, dataKeyId: 'k', wrappedKey, createdAt: Math.floor(at / 3) };
      }),
    );
    const seen: string[] = [];
    for (let page = ring.list(prefix, 200); page.length > 0; page = ring.list(prefix, 200, page.at(-1))) {
      seen.push(...page.map((one) => one.collectionId));
    }
    expect(seen).toHaveLength(50_000);
    expect(new Set(seen).size).toBe(50_000);
    expect(ring.list(prefix, 1, { createdAt: 5, collectionId: '' })[0]?.createdAt).toBe(5);
  });
});
