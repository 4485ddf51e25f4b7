import { type JobEvent, type JobState, type Micros, topics } from '@whetstone/contracts';
import { readJobId, type Seal } from '@whetstone/identity';

const minuteMicros = 60 * 1_000_000;
/** No attempt at a job starts later than this after it was accepted. */
const deadlineMicros = 24 * 60 * minuteMicros;
/** For the last attempt, which may begin at the deadline, to end and be recorded. */
const lastAttemptMicros = 10 * minuteMicros;
const retentionMicros = topics.jobs.retentionMs * 1000;

/**
 * The state of a job: a pure function of its id, its record and the time, so that every replica and every poll
 * says the same.
 *
 * An id that was made with an idempotency key carries the end of its day instead of the moment of acceptance. Until there
 * is a record, such a job is told to have been accepted at no particular time, and everything about it happens up to a
 * day later.
 */
export function stateOf(jobId: string, record: JobEvent | undefined, now: Micros, seal: Pick<Seal, 'seal'>): JobState {
  const countsFrom = record?.acceptedAt ?? readJobId(jobId)?.time;
  if (countsFrom === undefined || now >= endOf(record, countsFrom) + retentionMicros)
    return { jobId, status: 'expired' };
  if (record && record.status !== 'processing') return { ...record };

  const times = knownTimes(jobId, record);
  const deadline = countsFrom + deadlineMicros;
  if (now < deadline + lastAttemptMicros) return { jobId, status: 'processing', ...times };
  const errorMessage = seal.seal(jobId, 'deadline_exceeded: the job did not end before its deadline');
  return { jobId, status: 'failed', ...times, failedAt: deadline, errorMessage, derived: true };
}

/** From this moment on neither the record nor the id alone gives another answer than `expired`. */
export function expiresAt(record: JobEvent): Micros {
  const { time = 0 } = readJobId(record.jobId) ?? {};
  return Math.max(endOf(record, record.acceptedAt), time) + retentionMicros;
}

/** A record is kept from the job's end; without one, from its beginning. */
function endOf(record: JobEvent | undefined, beginning: Micros): Micros {
  if (record?.status === 'completed') return record.completedAt;
  if (record?.status === 'failed') return record.failedAt;
  return beginning;
}

function knownTimes(jobId: string, record: JobEvent | undefined): Pick<JobState, 'acceptedAt' | 'startedAt'> {
  if (record?.startedAt !== undefined) return { acceptedAt: record.acceptedAt, startedAt: record.startedAt };
  const id = readJobId(jobId);
  return id && !id.idempotent ? { acceptedAt: id.time } : {};
}
