import type { JobRecord } from '../support/contract.js';
import { checkPromises, type Evidence } from './check-promises.js';

const completed = (jobId: string): JobRecord => ({
  status: 'completed',
  message: '',
  job_id: jobId,
  insights_stored: 1,
});

const honest: Evidence = {
  sent: [
    { word: 'alpha', tenantId: 't', jobId: 'job-a' },
    { word: 'beta', tenantId: 't', jobId: 'job-b' },
    { word: 'gamma', tenantId: 't' },
  ],
  jobs: new Map([
    ['job-a', completed('job-a')],
    ['job-b', completed('job-b')],
  ]),
  insights: [
    { id: '1', jobId: 'job-a', text: 'alpha' },
    { id: '2', jobId: 'job-b', text: 'beta' },
  ],
};

const insights = [...honest.insights];

/** The checker is checked: each of these is a planted bug. */
describe('checkPromises', () => {
  it('finds nothing wrong when every promise was kept', () => {
    expect(checkPromises(honest)).toEqual([]);
  });

  it('accepts that an upload without a 202 was learnt all the same', () => {
    expect(checkPromises({ ...honest, insights: [...insights, { id: '3', jobId: 'job-c', text: 'gamma' }] })).toEqual(
      [],
    );
  });

  it.each<[string, Partial<Evidence>]>([
    ['a job that was lost', { jobs: new Map([['job-a', completed('job-a')]]) }],
    [
      'a job that never ends',
      { jobs: new Map(honest.jobs).set('job-b', { ...completed('job-b'), status: 'processing' }) },
    ],
    ['a job that failed', { jobs: new Map(honest.jobs).set('job-b', { ...completed('job-b'), status: 'failed' }) }],
    ['an insight that was lost', { insights: insights.slice(1) }],
    [
      'an insight of an earlier attempt left behind',
      { insights: [...insights, { id: '3', jobId: 'job-b', text: 'beta' }] },
    ],
    ['an insight stored twice', { insights: [...insights, ...insights.slice(0, 1)] }],
    ['an upload learnt under a second job', { insights: [...insights, { id: '3', jobId: 'job-x', text: 'beta' }] }],
    ['one job for two uploads', { sent: [...honest.sent, { word: 'alpha', tenantId: 't', jobId: 'job-a' }] }],
    [
      'an upload learnt under the job of another',
      { insights: insights.map((one) => ({ ...one, text: one.text === 'beta' ? 'alpha' : 'beta' })) },
    ],
  ])('notices %s', (_, planted) => {
    expect(checkPromises({ ...honest, ...planted }).length).toBeGreaterThan(0);
  });
});
