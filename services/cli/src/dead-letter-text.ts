import type { DeadLetter } from '@whetstone/contracts';

import { shortTimeOf, table, timeOf } from './print.js';

export function deadLetterObject({ upload, reason, detail, tries, failedAt }: DeadLetter): object {
  return {
    job_id: upload?.jobId ?? null,
    ...(upload && { collection_id: upload.collectionId, key_id: upload.keyId, accepted_at: timeOf(upload.acceptedAt) }),
    failed_at: timeOf(failedAt),
    tries,
    reason,
    detail,
  };
}

export function describeDeadLetters(letters: readonly DeadLetter[]): string {
  if (letters.length === 0) return 'Nothing is given up.';
  return table(
    ['JOB', 'FAILED (UTC)', 'TRIES', 'REASON', 'DETAIL'],
    letters.map(({ upload, failedAt, tries, reason, detail }) => [
      upload?.jobId ?? '(not readable as an upload)',
      shortTimeOf(failedAt),
      String(tries),
      reason,
      detail.replaceAll(/\s+/g, ' '),
    ]),
  );
}
