import { type AcceptedUpload, type DeadLetter, type Micros, topics } from '@whetstone/contracts';
import { AppError } from '@whetstone/platform';

/**
 * The upload to append again so that its job gets another chance. Throws AppError `invalid_argument` for a letter that holds
 * no readable upload, and for an upload so old that the records of its job are gone.
 */
export function replayDeadLetter({ upload }: Pick<DeadLetter, 'upload'>, now: Micros): AcceptedUpload {
  if (!upload)
    throw new AppError('invalid_argument', 'This message was never readable as an upload; it cannot be replayed');
  if (now - upload.acceptedAt > topics.jobs.retentionMs * 1000) {
    throw new AppError('invalid_argument', `${upload.jobId} was accepted more than 30 days ago; it cannot be replayed`);
  }
  return { ...upload, replayedAt: now };
}
