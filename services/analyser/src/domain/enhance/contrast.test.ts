import type { RunShape, SearchHit } from '@whetstone/contracts';

import { contrastAround, contrastInWords } from './contrast.js';

let made = 0;

function aRun(
  outcome: RunShape['outcome'],
  uses: string[],
  rest: { intent?: string; judged?: boolean; body?: string } = {},
): SearchHit {
  const id = `row-${++made}`;
  return {
    id,
    intent: rest.intent ?? 'Cancel both orders of the customer',
    similarity: 0.9,
    score: 1,
    insight: {
      kind: 'strategy',
      title: 'Call it',
      content: 'Call it.',
      steps: [],
      polarity: 'success',
      evidence: [1],
      confidence: 0.7,
    },
    run: { outcome, judged: rest.judged ?? false, uses },
    origin: {
      jobId: `job-${made}`,
      keyId: 'k',
      acceptedAt: 1,
      bodyDigest: rest.body ?? `digest-${made}`,
      producer: { name: 'reflector', version: '1' },
    },
  };
}

function told(hits: SearchHit[]): string | undefined {
  const contrast = contrastAround(hits[0] as SearchHit, hits);
  return contrast && contrastInWords(contrast);
}

describe('contrast between runs at one task that ended differently', () => {
  it('tells what only those that succeeded used, and what only those that failed used', () => {
    const hits = [
      aRun('success', ['find -type -name', 'wc -l']),
      aRun('success', ['find -type', 'wc -l']),
      aRun('failure', ['ls -R', 'wc -l']),
      aRun('failure', ['ls', 'grep -c']),
    ];

    expect(told(hits)).toBe('Of 4 runs at this 2 succeeded: only they used `find`; only those that failed used `ls`.');
  });

  it('takes options in another order for the same', () => {
    expect(told([aRun('success', ['tar -xzf']), aRun('failure', ['tar -zxf'])])).toBeUndefined();
  });

  it('tells an option where the program is the same', () => {
    const hits = [aRun('success', ['find -type -size']), aRun('failure', ['find -size'])];

    expect(told(hits)).toBe('Of 2 runs at this 1 succeeded: only it used `find -type`.');
  });

  it('tells that a call was made for each of several things, and not for one of them alone', () => {
    const hits = [aRun('success', ['cancel_order', 'cancel_order']), aRun('failure', ['cancel_order'])];

    expect(told(hits)).toBe('Of 2 runs at this 1 succeeded: only it used `cancel_order ×2`.');
  });

  it('tells an act that should not have been done', () => {
    const hits = [aRun('success', ['get_order']), aRun('failure', ['get_order', 'refund_order'])];

    expect(told(hits)).toBe('Of 2 runs at this 1 succeeded: only the one that failed used `refund_order`.');
  });

  it('says nothing where all ended alike, where nothing differs, or where nobody but the service judged', () => {
    expect(told([aRun('success', ['find']), aRun('success', ['ls'])])).toBeUndefined();
    expect(told([aRun('success', ['find']), aRun('failure', ['find'])])).toBeUndefined();
    expect(told([aRun('success', ['find']), aRun('failure', ['ls'], { judged: true })])).toBeUndefined();
  });

  it('does not hold a look-up against those that failed', () => {
    const hits = [aRun('success', ['close_case']), aRun('failure', ['get_order', 'close_case', 'refund_order'])];

    expect(told(hits)).toBe('Of 2 runs at this 1 succeeded: only the one that failed used `refund_order`.');
  });

  it('leaves runs at other tasks out', () => {
    const other = aRun('failure', ['ls'], { intent: 'Book a table for two in the evening' });

    expect(told([aRun('success', ['find']), other])).toBeUndefined();
  });

  it('takes a word more for the same task, and another word for another', () => {
    const failedAt = (intent: string) => [
      aRun('success', ['find'], { intent: 'List the files that were read in the last hour' }),
      aRun('failure', ['ls'], { intent }),
    ];

    expect(told(failedAt('List all the files that were read in the very last hour'))).toMatch(/^Of 2 runs/);
    expect(told(failedAt('List the files that were changed in the last hour'))).toBeUndefined();
  });

  it('says nothing against the lesson below which it stands', () => {
    const shown = aRun('success', ['comm', 'wc -l']);
    const others = [
      ...Array.from({ length: 3 }, () => aRun('success', ['grep -c'])),
      ...Array.from({ length: 3 }, () => aRun('failure', ['wc -l'])),
    ];

    expect(told([shown, ...others])).toBeUndefined();
    expect(told([...others, shown])).toBe(
      'Of 7 runs at this 4 succeeded: only they used `grep`; only those that failed used `wc`.',
    );
  });

  it('counts a run once that was uploaded twice', () => {
    const hits = [
      aRun('success', ['find'], { body: 'same' }),
      aRun('success', ['find'], { body: 'same' }),
      aRun('failure', ['ls']),
    ];

    expect(told(hits)).toMatch(/^Of 2 runs/);
  });
});
