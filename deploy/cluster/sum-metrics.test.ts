import { sumMetrics } from './sum-metrics.js';

const of = (requests: string, start: number) =>
  [
    '# HELP requests_total How many',
    '# TYPE requests_total counter',
    ...requests.split('\n'),
    '',
    '# HELP start_seconds When',
    '# TYPE start_seconds gauge',
    `start_seconds ${start}`,
    '',
  ].join('\n');

describe('the metrics of several processes', () => {
  it('are one family each, with samples of the same labels added up', () => {
    const sum = sumMetrics([of('requests_total{route="/a b"} 2', 10), of('requests_total{route="/a b"} 3', 20)]);
    expect(sum).toBe(of('requests_total{route="/a b"} 5', 30));
  });

  it('keep samples that only one of them has', () => {
    const sum = sumMetrics([of('requests_total{route="/a"} 2', 10), of('requests_total{route="/b"} 3', 20)]);
    expect(sum).toBe(of('requests_total{route="/a"} 2\nrequests_total{route="/b"} 3', 30));
  });

  it('leave out what is not a number', () => {
    expect(sumMetrics([of('requests_total NaN', 10), of('requests_total 1', 20)])).toBe(of('requests_total 1', 30));
  });
});
