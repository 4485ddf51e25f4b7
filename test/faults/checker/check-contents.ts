import type { JobRecord } from '../../support/contract.js';
import { markersIn } from '../clients/markers.js';
import type { Evidence, SentDeletion, SentUpload, StoredRow } from '../evidence.js';
import { groupBy } from './group-by.js';
import { type Problem, problem } from './verdict.js';

/** Requests that cross within a second may fall either way. */
const skewMs = 1000;
const dayMs = 24 * 60 * 60 * 1000;

/** What each upload taught is there under its own job, as much as the job says; or was deleted, and stays deleted. */
export function checkContents({ uploads, deletions, sightings, rows }: Evidence): Problem[] {
  const byMarker = groupBy(rows, ({ text }) => markersIn(text).map(({ marker }) => marker));
  const completed = new Map(
    sightings.filter(({ status }) => status === 'completed').map(({ jobId, record }) => [jobId, record]),
  );
  return uploads.flatMap((upload) => {
    const own = byMarker.get(upload.marker) ?? [];
    const deletion = deletionOf(upload, deletions);
    if (deletion === 'surely' && own.length > 0) {
      return [problem('undeleted', `upload ${upload.marker} was deleted and has ${own.length} rows: ${own[0]?.id}`)];
    }
    return [
      ...underWrongJob(upload, own),
      ...[...new Set(upload.jobIds)].flatMap((jobId) => {
        const record = completed.get(jobId);
        return record === undefined ? [] : wrongAmount(upload, JSON.parse(record) as JobRecord, own, deletion);
      }),
    ];
  });
}

type Coverage = 'surely' | 'maybe' | 'no';

/** Whether a deletion takes the upload: for sure, when it was answered before the deletion was sent. */
function deletionOf(upload: SentUpload, deletions: readonly SentDeletion[]): Coverage {
  const own = deletions.filter(({ tag, topic }) => tag === upload.tag && topic === upload.topic);
  if (own.some(({ done, begunAt }) => done && upload.endedAt < begunAt - skewMs)) return 'surely';
  return own.some(({ endedAt }) => upload.begunAt < endedAt + skewMs) ? 'maybe' : 'no';
}

function underWrongJob(
  { marker, jobIds, idempotencyKey, begunAt, endedAt }: SentUpload,
  own: readonly StoredRow[],
): Problem[] {
  const jobs = new Set([...jobIds, ...own.map(({ jobId }) => jobId)]);
  // An Idempotency-Key counts for one UTC day.
  const allowed = idempotencyKey !== undefined && dayOf(begunAt) !== dayOf(endedAt) ? 2 : 1;
  return jobs.size <= allowed
    ? []
    : [problem('doubled', `upload ${marker} is ${jobs.size} jobs: ${[...jobs].join(', ')}`)];
}

function wrongAmount({ marker }: SentUpload, job: JobRecord, own: readonly StoredRow[], deletion: Coverage): Problem[] {
  const there = own.filter(({ jobId, type }) => jobId === job.job_id && type === 'insight').length;
  const told = job.insights_stored ?? 0;
  const says = `upload ${marker}, job ${job.job_id}: ${told} insights were told (${job.outcome}), ${there} are there`;
  if (there > told) return [problem('doubled', says)];
  if (deletion === 'no' && (there < told || told === 0)) return [problem('lost', says)];
  return [];
}

function dayOf(moment: number): number {
  return Math.floor(moment / dayMs);
}
