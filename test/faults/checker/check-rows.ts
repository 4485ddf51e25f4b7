import type { Evidence, StoredRow } from '../evidence.js';
import { groupBy } from './group-by.js';
import { type Problem, problem } from './verdict.js';

/** Whatever was delivered how often: a job has the rows of one attempt, each of them once. */
export function checkRows({ uploads, rows }: Evidence): Problem[] {
  const jobIds = new Set(uploads.flatMap((upload) => upload.jobIds));
  const byJob = groupBy(rows, ({ jobId }) => [jobId]);
  return [
    ...repeated(rows.map(({ id }) => id)).map((id) => problem('doubled', `row ${id} is there twice`)),
    ...[...jobIds].flatMap((jobId) => severalAttempts(jobId, byJob.get(jobId) ?? [])),
    ...repeated(uploads.flatMap((upload) => [...new Set(upload.jobIds)])).map((jobId) =>
      problem('lost', `two uploads were given the one job ${jobId}`),
    ),
  ];
}

function severalAttempts(jobId: string, rows: readonly StoredRow[]): Problem[] {
  const attempts = new Set(rows.map(({ attempt }) => attempt));
  return attempts.size > 1 ? [problem('doubled', `job ${jobId} has the rows of ${attempts.size} attempts`)] : [];
}

function repeated(names: readonly string[]): string[] {
  const seen = new Set<string>();
  return names.filter((name) => seen.size === seen.add(name).size);
}
