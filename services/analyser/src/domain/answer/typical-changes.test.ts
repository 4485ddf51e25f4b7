import { aHit, times } from './test-kit/hits.js';
import { typicalChanges } from './typical-changes.js';

const ended = (changes: string[], similarity = 0.8) => aHit({ similarity, run: { changes } });

describe('typical changes', () => {
  it('are voted on by similar runs, weighted by similarity', () => {
    expect(typicalChanges([ended(['refund']), ended(['cancel']), ended(['cancel'])])?.changes).toBe('cancel');
    expect(typicalChanges([ended(['refund'], 0.9), ended(['cancel'], 0.3), ended(['cancel'], 0.3)])?.changes).toBe(
      'refund',
    );
    expect(typicalChanges([ended([]), ended([]), ended(['cancel'])])).toEqual({
      changes: '',
      share: expect.closeTo(2 / 3) as number,
    });
  });

  it('are compared as sets, regardless of order and repetition', () => {
    const hits = [ended(['refund', 'cancel']), ended(['cancel', 'refund', 'cancel']), ended(['other'])];

    expect(typicalChanges(hits)?.changes).toBe('cancel\nrefund');
  });

  it('count once per run, and only if the caller reported success', () => {
    const loud = times(5, () => aHit({ run: { changes: ['loud'] }, origin: { bodyDigest: 'one' } }));
    const judged = times(5, () => aHit({ run: { changes: ['judged'], judged: true } }));
    const failed = times(5, () => aHit({ run: { changes: ['failed'], outcome: 'failure' } }));

    expect(typicalChanges([...loud, ...judged, ...failed, ended(['a'], 1), ended(['a'], 1)])).toEqual({
      changes: 'a',
      share: expect.closeTo(2 / 3) as number,
    });
  });

  it('are undefined if no run changed anything, or none is known', () => {
    expect(typicalChanges([ended([]), ended([])])).toBeUndefined();
    expect(typicalChanges([])).toBeUndefined();
    const old = aHit();
    delete (old.run as Partial<typeof old.run>).changes;
    expect(typicalChanges([old])).toBeUndefined();
  });
});
