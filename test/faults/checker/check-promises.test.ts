import type { Evidence, SentUpload, Sighting, StoredRow } from '../evidence.js';
import { checkPromises, type Kind } from './check-promises.js';

const quietSince = 100_000;
const gateways = ['north', 'south'];
const tags = { here: 'aaaaaaaa', there: 'bbbbbbbb' };
const markerOf = (tag: string, letter: string) => `zq${tag}${letter.repeat(12)}`;

function upload(marker: string, change: Partial<SentUpload> = {}): SentUpload {
  const tag = marker.slice(2, 10);
  return {
    marker,
    tag,
    account: 'one',
    topic: 'sql',
    begunAt: 10_000,
    endedAt: 10_100,
    jobIds: [],
    fate: 'completed',
    ...change,
  };
}

function seen(jobId: string, change: Partial<Sighting> = {}): Sighting {
  const record = recordOf(jobId, { status: change.status ?? 'completed' });
  return {
    jobId,
    gateway: 'north',
    begunAt: quietSince + 1,
    endedAt: quietSince + 2,
    status: 'completed',
    record,
    ...change,
  };
}

function recordOf(jobId: string, change: object = {}): string {
  return JSON.stringify({ status: 'completed', job_id: jobId, insights_stored: 1, outcome: 'stored', ...change });
}

const everywhere = (jobId: string, change: Partial<Sighting> = {}) =>
  gateways.map((gateway) => seen(jobId, { gateway, ...change }));

function row(jobId: string, marker: string, change: Partial<StoredRow> = {}): StoredRow {
  const collectionId = `c${marker.slice(2, 10)}`;
  const attempt = change.attempt ?? '1';
  const id = `${change.collectionId ?? collectionId}/${jobId}/${attempt}/1`;
  return { id, collectionId, jobId, attempt, type: 'insight', text: `do it # ${marker}`, ...change };
}

const alpha = markerOf(tags.here, 'a');
const beta = markerOf(tags.here, 'b');
const gamma = markerOf(tags.there, 'c');
const lostAnswer = markerOf(tags.there, 'd');

const honest: Evidence = {
  uploads: [
    upload(alpha, { jobIds: ['job-a', 'job-a'], idempotencyKey: 'k' }),
    upload(beta, { jobIds: ['job-b'] }),
    upload(gamma, { account: 'two', jobIds: ['job-c'] }),
    upload(lostAnswer, { account: 'two' }),
  ],
  deletions: [],
  gateways,
  quietSince,
  sightings: [
    seen('job-a', { begunAt: 11_000, endedAt: 12_000, status: 'processing', record: '{"status":"processing"}' }),
    ...['job-a', 'job-b', 'job-c'].flatMap((jobId) => everywhere(jobId)),
  ],
  rows: [row('job-a', alpha), row('job-b', beta), row('job-c', gamma)],
  leaks: [],
  oddities: [],
};

const found = (change: Partial<Evidence>) => [
  ...new Set(checkPromises({ ...honest, ...change }).map(({ kind }) => kind)),
];
const without = (jobId: string) => honest.sightings.filter((sighting) => sighting.jobId !== jobId);
const changed = (marker: string, change: Partial<SentUpload>) =>
  honest.uploads.map((sent) => (sent.marker === marker ? { ...sent, ...change } : sent));
const deletion = { tag: tags.here, topic: 'sql', begunAt: 20_000, endedAt: 21_000, done: true } as const;
const withoutRow = (jobId: string) => honest.rows.filter((one) => one.jobId !== jobId);

describe('the checker', () => {
  it('finds nothing wrong when every promise was kept', () => {
    expect(checkPromises(honest)).toEqual([]);
  });

  it.each<[string, Partial<Evidence>]>([
    ['an upload without a 202 was learnt all the same', { rows: [...honest.rows, row('job-d', lostAnswer)] }],
    [
      'a deletion took what was uploaded before it',
      { deletions: [deletion], rows: withoutRow('job-a').filter(({ jobId }) => jobId !== 'job-b') },
    ],
    [
      'a deletion that was never answered took half of it',
      { deletions: [{ ...deletion, done: false }], rows: withoutRow('job-a') },
    ],
    ['a deletion crossed an upload', { deletions: [{ ...deletion, begunAt: 10_050 }], rows: withoutRow('job-b') }],
    [
      'a poisonous upload failed',
      {
        uploads: changed(beta, { fate: 'failed' }),
        sightings: [...without('job-b'), ...everywhere('job-b', { status: 'failed' })],
        rows: withoutRow('job-b'),
      },
    ],
  ])('accepts that %s', (_, allowed) => {
    expect(checkPromises({ ...honest, ...allowed })).toEqual([]);
  });

  /** Each of these is a planted bug. */
  it.each<[Kind, string, Partial<Evidence>]>([
    [
      'lost',
      'a job that is a 404',
      { sightings: [...without('job-b'), ...everywhere('job-b', { status: 'unknown' })] },
    ],
    [
      'lost',
      'a job that was a 404 for a moment',
      { sightings: [seen('job-b', { begunAt: 10_200, status: 'unknown' }), ...honest.sightings] },
    ],
    ['lost', 'an insight that is gone', { rows: withoutRow('job-b') }],
    [
      'lost',
      'an upload that taught nothing',
      {
        sightings: [
          ...without('job-b'),
          ...everywhere('job-b', { record: recordOf('job-b', { insights_stored: 0, outcome: 'nothing_to_learn' }) }),
        ],
        rows: withoutRow('job-b'),
      },
    ],
    [
      'lost',
      'a deletion of what is of another topic',
      { deletions: [{ ...deletion, topic: 'logs' }], rows: withoutRow('job-b') },
    ],
    [
      'lost',
      'a deletion of what came later',
      { deletions: [{ ...deletion, begunAt: 5000, endedAt: 6000 }], rows: withoutRow('job-b') },
    ],
    ['lost', 'one job for two uploads', { uploads: changed(beta, { jobIds: ['job-a'] }) }],
    [
      'doubled',
      'the rows of an earlier attempt left behind',
      { rows: [...honest.rows, row('job-b', beta, { attempt: '0' })] },
    ],
    ['doubled', 'a row twice', { rows: [...honest.rows, row('job-b', beta)] }],
    ['doubled', 'more insights than were told', { rows: [...honest.rows, row('job-b', beta, { id: 'another' })] }],
    ['doubled', 'an upload learnt under a second job', { rows: [...honest.rows, row('job-x', beta)] }],
    [
      'doubled',
      'a retry that became another job',
      {
        uploads: changed(alpha, { jobIds: ['job-a', 'job-x'] }),
        sightings: [...honest.sightings, ...everywhere('job-x')],
      },
    ],
    [
      'unended',
      'a job that never ends',
      { sightings: [...without('job-b'), ...everywhere('job-b', { status: 'processing' })] },
    ],
    ['unended', 'a job that has ended at one gateway only', { sightings: [...without('job-b'), seen('job-b')] }],
    ['failed', 'a job that failed', { sightings: [...without('job-b'), ...everywhere('job-b', { status: 'failed' })] }],
    ['failed', 'a poisonous upload that was learnt', { uploads: changed(beta, { fate: 'failed' }) }],
    [
      'changed',
      'a job that ended twice',
      { sightings: [...honest.sightings, seen('job-b', { record: recordOf('job-b', { completed_at: 'later' }) })] },
    ],
    [
      'changed',
      'gateways that contradict each other',
      { sightings: [...without('job-b'), seen('job-b'), seen('job-b', { gateway: 'south', status: 'failed' })] },
    ],
    [
      'changed',
      'a job that is open again',
      {
        sightings: [
          seen('job-b', { begunAt: 11_000, endedAt: 11_100 }),
          seen('job-b', { begunAt: 11_101, status: 'processing' }),
          ...honest.sightings,
        ],
      },
    ],
    ['undeleted', 'a deleted upload that came back', { deletions: [deletion], rows: withoutRow('job-b') }],
    [
      'leaked',
      'an upload in the collection of another',
      { rows: [...withoutRow('job-c'), row('job-c', gamma, { collectionId: `c${tags.here}` })] },
    ],
    ['leaked', 'an answer that showed too much', { leaks: ['two was shown a word of one'] }],
    ['odd', 'an answer that there is not', { oddities: ['store_knowledge answered 502'] }],
  ])('notices what is %s: %s', (kind, _, planted) => {
    expect(found(planted)).toContain(kind);
  });
});
