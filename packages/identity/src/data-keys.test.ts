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
