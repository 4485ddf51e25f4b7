import type { DeadLetter } from '@whetstone/contracts';

import { jobIdOf } from './dead-letters.js';
import { shortTimeOf, table, timeOf } from './print.js';

export function deadLetterObject(letter: DeadLetter): object {
  const { upload, reason, detail, tries, failedAt } = letter;
  return {
    job_id: jobIdOf(letter) ?? null,
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
    letters.map((letter) => lineOf(letter)),
  );
}

function lineOf(letter: DeadLetter): string[] {
  const { failedAt, tries, reason, detail } = letter;
  return [
    jobIdOf(letter) ?? '(not readable as an upload)',
    shortTimeOf(failedAt),
    String(tries),
    reason,
    detail.replaceAll(/\s+/g, ' '),
  ];
}
