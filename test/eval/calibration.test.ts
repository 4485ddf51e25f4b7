import { calibrationError, calibrationOf } from './calibration.js';
import type { Asked } from './measure.js';

function answered(confidence: number, score: number): Asked {
  const interaction = { labels: { domain: 'd', task: 't' }, upload: { query: 'q', turns: [], success: null } };
  const recommendations = [{ text: 'x', sources: [] }];
  return {
    metric: 'rescue',
    data: 'd',
    collection: 'd',
    question: { text: 'q', agentType: null },
    interaction,
    answer: { recommendations, added: 'x', confidence },
    times: 1,
    score,
  };
}

describe('calibrationOf', () => {
  it('puts answers into bins of their confidence and says how many of each were useful', () => {
    const bins = calibrationOf([answered(0.81, 1), answered(0.85, 0), answered(1, 1)], ['rescue']);
    expect(bins.map(({ from, answers, useful }) => [from.toFixed(1), answers, useful])).toEqual([
      ['0.8', 2, 0.5],
      ['0.9', 1, 1],
    ]);
    expect(calibrationError(bins)).toBeCloseTo((2 * 0.33 + 0) / 3);
  });

  it('leaves out what other metrics asked, and answers that say nothing', () => {
    const mute = { ...answered(0, 0), answer: { recommendations: [], added: '', confidence: 0 } };
    expect(calibrationOf([mute, { ...answered(0.5, 1), metric: 'answered' }], ['rescue'])).toEqual([]);
  });
});
