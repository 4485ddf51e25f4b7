import type { AuditEntry } from '@whetstone/contracts';
import { createAuditTrail, type Decision, tenantOfEntry } from './audit-trail.js';
import { createSeal } from './seal.js';
import { otherRoots, roots, rotatedRoots } from './test-kit.js';

const decision: Decision = { account: 'acme', keyId: 'k', action: 'lesson.written', tenantId: 'shop' };

function trail(append?: (entry: AuditEntry) => Promise<void>) {
  const entries: AuditEntry[] = [];
  const unfinished: unknown[] = [];
  const { record } = createAuditTrail({
    append: append ?? (async (entry) => void entries.push(entry)),
    roots,
    clock: { now: () => 1_772_734_537_903_173 },
    onUnfinished: (error) => unfinished.push(error),
  });
  return { record, entries, unfinished };
}

describe('the audit trail', () => {
  it('has the decision before anything is done, and afterwards how it ended', async () => {
    const { record, entries } = trail();
    const act = async () => {
      expect(entries).toEqual([expect.objectContaining({ account: 'acme', keyId: 'k', action: 'lesson.written' })]);
      expect(entries[0]).not.toHaveProperty('outcome');
      return 'lesson';
    };

    expect(await record(decision, act, (subject) => ({ subject, details: { count: 1 } }))).toBe('lesson');

    expect(entries[1]).toEqual({ ...entries[0], subject: 'lesson', details: { count: 1 }, outcome: 'done' });
    expect(entries[0]?.id).toMatch(/^01772734537903173-[\da-f]{8}$/);
  });

  it('says that what was begun has failed', async () => {
    const { record, entries } = trail();

    await expect(record(decision, () => Promise.reject(new Error('no')))).rejects.toThrow('no');

    expect(entries.map(({ outcome }) => outcome)).toEqual([undefined, 'failed']);
  });

  it('lets nothing be done whose entry is not durable', async () => {
    let isDone = false;
    const act = async () => {
      isDone = true;
    };
    const { record } = trail(() => Promise.reject(new Error('the log is away')));

    await expect(record(decision, act)).rejects.toThrow('the log is away');

    expect(isDone).toBe(false);
  });

  it('answers what was done even if the log goes away meanwhile', async () => {
    let isAway = false;
    const { record, unfinished } = trail(async () => {
      if (isAway) throw new Error('the log is away');
    });
    const act = async () => {
      isAway = true;
      return 'done';
    };

    expect(await record(decision, act)).toBe('done');
    expect(unfinished).toHaveLength(1);
  });

  it('seals the name of a collection, which only the roots of the installation open', async () => {
    const { record, entries } = trail();
    await record(decision, async () => {});
    const [entry] = entries as [AuditEntry];

    expect(JSON.stringify(entry)).not.toContain('shop');
    expect(tenantOfEntry(createSeal(roots), entry)).toBe('shop');
    expect(tenantOfEntry(createSeal(rotatedRoots), entry)).toBe('shop');
    expect(tenantOfEntry(createSeal(otherRoots), entry)).toBeNull();
  });

  it('keeps no key that names the default collection', async () => {
    const { record, entries } = trail();
    await record({ ...decision, tenantId: 'wst_secret' }, async () => {});
    const [entry] = entries as [AuditEntry];

    expect(entry.collection).toEqual({});
    expect(tenantOfEntry(createSeal(roots), entry)).toBeNull();
    expect(tenantOfEntry(createSeal(roots), { ...entry, collection: undefined } as never)).toBeUndefined();
  });
});
