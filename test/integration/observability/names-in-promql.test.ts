import { namesInPromql, sampleNames, unknownNames } from '../../support/observability/names-in-promql.js';

describe('names in PromQL', () => {
  it.each([
    ['up', [{ metric: 'up', labels: [] }], []],
    ['sum(rate(a_total{b="c{}", d=~"e,f"}[5m])) / 2e3', [{ metric: 'a_total', labels: ['b', 'd'] }], []],
    ['sum by (x, y) (a) > bool 0', [{ metric: 'a', labels: [] }], ['x', 'y']],
    ['sum(a) without (x)', [{ metric: 'a', labels: [] }], ['x']],
    [
      'a * on (p, q) group_left (v) b offset 5m',
      [
        { metric: 'a', labels: [] },
        { metric: 'b', labels: [] },
      ],
      ['p', 'q', 'v'],
    ],
    ['{__name__="a", b!=""}', [{ metric: 'a', labels: ['b'] }], []],
    ["increase(ns:a:rate5m{n=~'$n'}[$__range]) # of all", [{ metric: 'ns:a:rate5m', labels: ['n'] }], []],
    ['max_over_time(a[1h:5m]) unless vector(0)', [{ metric: 'a', labels: [] }], []],
  ])('finds those of %s', (expression, selectors, grouping) => {
    expect(namesInPromql(expression)).toEqual({ selectors, grouping });
  });

  it('refuses what it does not understand', () => {
    expect(() => namesInPromql('a ? b')).toThrow('Not understood: ? b');
    expect(() => namesInPromql('{b="c"}')).toThrow('without a name');
  });
});

describe('unknown names', () => {
  const known = sampleNames(
    new Map([
      ['a_total', { type: 'counter', help: '', labels: new Set(['x']) }],
      ['b_seconds', { type: 'histogram', help: '', labels: new Set(['y']) }],
    ]),
  );
  const unknownIn = (expression: string) => unknownNames([{ place: 'here', expression }], known);

  it.each([
    'rate(a_total{x="1", namespace="n"}[5m])',
    'histogram_quantile(0.9, sum by (le, y) (rate(b_seconds_bucket{le="1"}[5m])))',
    'rate(b_seconds_sum[5m]) / rate(b_seconds_count[5m])',
  ])('has nothing to say of %s', (expression) => {
    expect(unknownIn(expression)).toEqual([]);
  });

  it.each([
    ['planted_total', 'here: there is no metric planted_total'],
    ['a_total_bucket', 'here: there is no metric a_total_bucket'],
    ['b_seconds', 'here: there is no metric b_seconds'],
    ['a_total{y="1"}', 'here: a_total has no label y'],
    ['b_seconds_count{le="1"}', 'here: b_seconds_count has no label le'],
    ['sum by (y) (a_total)', 'here: nothing there has a label y'],
  ])('finds what is wrong with %s', (expression, problem) => {
    expect(unknownIn(expression)).toEqual([problem]);
  });
});
