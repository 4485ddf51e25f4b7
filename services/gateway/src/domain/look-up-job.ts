import type { JobOutcome, JobRecord, JobState, Micros } from '@whetstone/contracts';
import { type JobIds, readJobId } from '@whetstone/identity';
import { AppError, type CallContext, sleepUntilAborted, withOwnSignal } from '@whetstone/platform';
import type { JobLookup } from './ports.js';
import type { Caller } from './resolve-collection.js';

interface LookUpJobDeps {
  jobIds: JobIds;
  status: Pick<JobLookup, 'getJob'>;
}

/** For the end of a job: so long, or until the signal aborts. */
export interface Waiting {
  ms: number;
  signal: AbortSignal;
}

/** Returns the record of one of the caller's jobs. Rejects with AppError `job_not_found` for any other id. */
export type LookUpJob = (
  caller: Caller,
  jobId: string,
  call: CallContext,
  waiting?: Waiting | undefined,
) => Promise<JobRecord>;

/** A replica of status that stops answers early; another one is asked after this. */
const askAgainMs = 500;

const operatorNote = 'Please pass error_message and job_id to the operators of this service';

export function createLookUpJob({ jobIds, status }: LookUpJobDeps): LookUpJob {
  return async ({ account }, jobId, call, waiting) => {
    if (!jobIds.verify(jobId, account)) throw jobNotFound();
    const ended = waiting && (await untilEnded(jobId, call, waiting));
    const state = ended ?? (await status.getJob({ jobId }, call));
    if (state.status === 'expired') throw jobNotFound();
    return recordOf(state);
  };

  /** Status itself waits, so nobody polls. `undefined` if the job did not end meanwhile. */
  function untilEnded(jobId: string, call: CallContext, { ms, signal }: Waiting): Promise<JobState | undefined> {
    return withOwnSignal(signal, async (own) => {
      const cancel = () => own.abort(call.signal?.reason);
      call.signal?.addEventListener('abort', cancel, { once: true });
      const endsAtMs = performance.now() + ms;
      try {
        for (let leftMs = ms; leftMs > 0 && !own.signal.aborted; leftMs = endsAtMs - performance.now()) {
          const state = await status.getJob({ jobId, waitMs: Math.ceil(leftMs) }, { ...call, signal: own.signal });
          if (state.status !== 'processing') return state;
          await sleepUntilAborted(Math.min(askAgainMs, endsAtMs - performance.now()), own.signal);
        }
      } catch (error) {
        if (!signal.aborted || call.signal?.aborted) throw error;
      } finally {
        call.signal?.removeEventListener('abort', cancel);
      }
      return undefined;
    });
  }
}

export function jobNotFound(): AppError {
  return new AppError('job_not_found', 'No such job in this account');
}

function recordOf(state: JobState): JobRecord {
  const { jobId, startedAt, completedAt, failedAt, insightsStored = 0, outcome = 'stored', errorMessage = '' } = state;
  const { reason } = state;
  const createdAt = state.acceptedAt ?? timeOfIssue(jobId);
  const times = { ...moment('created_at', createdAt), ...moment('started_at', startedAt) };
  if (state.status === 'completed') {
    return {
      status: 'completed',
      message: messageOf(outcome, reason),
      job_id: jobId,
      ...times,
      ...moment('completed_at', completedAt),
      insights_stored: insightsStored,
      outcome,
    } as JobRecord;
  }
  if (state.status === 'failed') {
    const record = {
      status: 'failed',
      message: reason ? `Processing failed: ${reason}` : 'Processing failed',
      job_id: jobId,
      ...times,
      ...moment('failed_at', failedAt),
      error_message: errorMessage,
      note: operatorNote,
    };
    return { ...record, [jobId]: record } as JobRecord;
  }
  return { status: 'processing', message: 'Knowledge is being processed', job_id: jobId, ...times };
}

const outcomeMessages = {
  stored: 'Knowledge processed and stored',
  nothing_to_learn: 'Knowledge processed: there was nothing to learn from it',
  deleted: 'Knowledge processed: it matched a later deletion and was not kept',
} as const;

function messageOf(outcome: JobOutcome, reason: string | undefined): string {
  const message = outcomeMessages[outcome];
  return outcome === 'nothing_to_learn' && reason ? `${message} (${reason})` : message;
}

function moment<Name extends string>(name: Name, at: number | undefined): { [K in Name]?: string } {
  return at === undefined ? {} : ({ [name]: formatMoment(at) } as { [K in Name]?: string });
}

/** An id carries its time of issue, unless an Idempotency-Key makes it the same all day. */
function timeOfIssue(jobId: string): number | undefined {
  const parts = readJobId(jobId);
  return parts && !parts.idempotent ? parts.time : undefined;
}

/** UTC, six fractional digits, no zone: `2026-03-05T18:15:37.903173`. */
export function formatMoment(moment: Micros): string {
  const millis = Math.floor(moment / 1000);
  const micros = String(moment - millis * 1000).padStart(3, '0');
  return new Date(millis).toISOString().slice(0, -1) + micros;
}
