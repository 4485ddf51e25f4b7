import { type JobEvent, type JobState, type Micros, topics } from '@whetstone/contracts';
import { readJobId } from '@whetstone/identity';

const retentionMicros = topics.jobs.retentionMs * 1000;

/**
 * The state of a job: a pure function of its id, its record and the time, so that every replica and every poll
 * says the same. Only a record ends a job: one without an end is processing, however long nobody works on it.
 *
 * An id that was made with an idempotency key carries the end of its day instead of the moment of acceptance. Until there
 * is a record, such a job is told to have been accepted at no particular time, and expires up to a day later.
 */
export function stateOf(jobId: string, record: JobEvent | undefined, now: Micros): JobState {
  const countsFrom = record?.acceptedAt ?? readJobId(jobId)?.time;
  if (countsFrom === undefined || now >= endOf(record, countsFrom) + retentionMicros)
    return { jobId, status: 'expired' };
  if (record && record.status !== 'processing') return { ...record };
  return { jobId, status: 'processing', ...knownTimes(jobId, record), ...runOf(record) };
}

/** From this moment on neither the record nor the id alone gives another answer than `expired`. */
export function expiresAt(record: JobEvent): Micros {
  const { time = 0 } = readJobId(record.jobId) ?? {};
  return Math.max(endOf(record, record.acceptedAt), time) + retentionMicros;
}

/** What is known of a job is kept from its end; without one, from its start or its acceptance. */
function endOf(record: JobEvent | undefined, acceptance: Micros): Micros {
  if (record?.status === 'completed') return record.completedAt;
  if (record?.status === 'failed') return record.failedAt;
  return record?.startedAt ?? acceptance;
}

function runOf(record: JobEvent | undefined): Pick<JobState, 'collectionId' | 'success'> {
  const { collectionId, success } = record ?? {};
  return { ...(collectionId === undefined ? {} : { collectionId }), ...(success === undefined ? {} : { success }) };
}

function knownTimes(jobId: string, record: JobEvent | undefined): Pick<JobState, 'acceptedAt' | 'startedAt'> {
  if (record?.startedAt !== undefined) return { acceptedAt: record.acceptedAt, startedAt: record.startedAt };
  const id = readJobId(jobId);
  return id && !id.idempotent ? { acceptedAt: id.time } : {};
}
