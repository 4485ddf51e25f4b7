import { likelyEnd } from './neighbours-end.js';
import { aHit, times } from './test-kit/hits.js';

const ended = (changes: string[], similarity = 0.8) => aHit({ similarity, run: { changes } });

describe('neighbours', () => {
  it('vote on how such tasks end, each as much as it is near', () => {
    expect(likelyEnd([ended(['refund']), ended(['cancel']), ended(['cancel'])])?.changes).toBe('cancel');
    expect(likelyEnd([ended(['refund'], 0.9), ended(['cancel'], 0.3), ended(['cancel'], 0.3)])?.changes).toBe('refund');
    expect(likelyEnd([ended([]), ended([]), ended(['cancel'])])).toEqual({
      changes: '',
      share: expect.closeTo(2 / 3) as number,
    });
  });

  it('ended alike where they made the same changes, in whatever order and however often', () => {
    const hits = [ended(['refund', 'cancel']), ended(['cancel', 'refund', 'cancel']), ended(['other'])];

    expect(likelyEnd(hits)?.changes).toBe('cancel\nrefund');
  });

  it('count once per run, and only where the caller said that it succeeded', () => {
    const loud = times(5, () => aHit({ run: { changes: ['loud'] }, origin: { bodyDigest: 'one' } }));
    const judged = times(5, () => aHit({ run: { changes: ['judged'], judged: true } }));
    const failed = times(5, () => aHit({ run: { changes: ['failed'], outcome: 'failure' } }));

    expect(likelyEnd([...loud, ...judged, ...failed, ended(['a'], 1), ended(['a'], 1)])).toEqual({
      changes: 'a',
      share: expect.closeTo(2 / 3) as number,
    });
  });

  it('say nothing where none of them changed anything, or none is known', () => {
    expect(likelyEnd([ended([]), ended([])])).toBeUndefined();
    expect(likelyEnd([])).toBeUndefined();
    const old = aHit();
    delete (old.run as Partial<typeof old.run>).changes;
    expect(likelyEnd([old])).toBeUndefined();
  });
});
