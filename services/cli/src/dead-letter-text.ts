import type { GivenUp } from './dead-letters.js';
import { shortTimeOf, table, timeOf } from './print.js';

export function deadLetterObject({ jobId, upload, reason, detail, tries, failedAt }: GivenUp): object {
  return {
    job_id: jobId ?? null,
    ...(upload && { collection_id: upload.collectionId, key_id: upload.keyId, accepted_at: timeOf(upload.acceptedAt) }),
    failed_at: timeOf(failedAt),
    tries,
    reason,
    detail,
  };
}

export function describeDeadLetters(letters: readonly GivenUp[]): string {
  if (letters.length === 0) return 'Nothing is given up.';
  return table(
    ['JOB', 'FAILED (UTC)', 'TRIES', 'REASON', 'DETAIL'],
    letters.map((letter) => lineOf(letter)),
  );
}

function lineOf({ jobId, failedAt, tries, reason, detail }: GivenUp): string[] {
  return [
    jobId ?? '(not readable as an upload)',
    shortTimeOf(failedAt),
    String(tries),
    reason,
    detail.replaceAll(/\s+/g, ' '),
  ];
}
