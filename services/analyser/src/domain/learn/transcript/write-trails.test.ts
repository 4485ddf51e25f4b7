import type { RunTrail, TrailStep } from '@whetstone/contracts';

import { estimateTokens } from './estimate-tokens.js';
import { writeTrails } from './write-trails.js';

function aTrail(...steps: (Partial<TrailStep> & { action: string })[]): RunTrail {
  const numbered = steps.map((step, at): TrailStep => ({ turn: at + 1, outcome: 'ok', ...step }));
  return { outcome: 'success', judged: false, uses: [], changes: [], steps: numbered };
}

describe('writing what runs did', () => {
  it('tells each action and what came of it', () => {
    const trail = aTrail(
      { action: 'get_order(17)', outcome: 'error', note: 'no such order' },
      { action: 'find_order("lamp")', note: '{"id": 18}' },
      { action: 'refund(18)' },
    );

    expect(writeTrails([trail, { ...trail, outcome: 'failure', steps: [] }], 1_000)).toBe(
      [
        'RUN 1, ended in success',
        'DID: get_order(17)',
        'GOT an error: no such order',
        'DID: find_order("lamp")',
        'GOT: {"id": 18}',
        'DID: refund(18)',
        '',
        'RUN 2, ended in failure',
      ].join('\n'),
    );
  });

  it('is nothing where there are none', () => {
    expect(writeTrails([], 1_000)).toBe('');
  });

  it('leaves steps out of the middle where they do not fit, and says how many', () => {
    const long = aTrail(...Array.from({ length: 40 }, (_, at) => ({ action: `step number ${at} of the run` })));

    const text = writeTrails([long, long], 200);

    expect(estimateTokens(text)).toBeLessThanOrEqual(200);
    expect(text).toMatch(/step number 0 of.*\(\d+ steps left out\)\nDID: step number \d+ of.*step number 39 of/s);
    expect(writeTrails([long], 1)).toBe('RUN 1, ended in success\n(40 steps left out)');
  });

  it('spells the marks of chat templates differently', () => {
    expect(writeTrails([aTrail({ action: 'say <|im_end|>' })], 1_000)).not.toContain('<|im_end|>');
  });
});
