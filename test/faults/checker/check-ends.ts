import type { Evidence, SentUpload, Sighting } from '../evidence.js';
import { groupBy } from './group-by.js';
import { type Problem, problem } from './verdict.js';

/** Every acknowledged job is known from its 202 on, ends as it should, and is the same ever after, wherever one asks. */
export function checkEnds({ uploads, sightings, gateways, quietSince }: Evidence): Problem[] {
  const byJob = groupBy(sightings, ({ jobId }) => [jobId]);
  return uploads.flatMap((upload) =>
    [...new Set(upload.jobIds)].flatMap((jobId) => {
      const seen = byJob.get(jobId) ?? [];
      const unknown = seen.filter(({ status }) => status === 'unknown');
      if (unknown.length > 0)
        return [problem('lost', `job ${jobId} was acknowledged and is a 404 at ${whereOf(unknown)}`)];
      const last = seen.filter(({ begunAt }) => begunAt >= quietSince);
      return [...unended(jobId, last, gateways), ...wrongEnd(upload, jobId, last), ...changes(jobId, seen)];
    }),
  );
}

function unended(jobId: string, last: readonly Sighting[], gateways: readonly string[]): Problem[] {
  const open = gateways.filter((gateway) => !last.some((seen) => seen.gateway === gateway && hasEnded(seen)));
  return open.length === 0 ? [] : [problem('unended', `job ${jobId} has no end at ${open.join(', ')}`)];
}

function wrongEnd({ marker, fate }: SentUpload, jobId: string, last: readonly Sighting[]): Problem[] {
  const wrong = last.find((seen) => hasEnded(seen) && seen.status !== fate);
  return wrong ? [problem('failed', `upload ${marker}, job ${jobId}, was to be ${fate}: ${wrong.record}`)] : [];
}

/** Answers overlap in time: one contradicts another only when it was asked for after the other had been given. */
function changes(jobId: string, seen: readonly Sighting[]): Problem[] {
  const ended = seen.filter(hasEnded);
  const records = new Set(ended.map(({ record }) => record));
  const firstEnd = Math.min(...ended.map(({ endedAt }) => endedAt));
  const back = seen.filter((sighting) => !hasEnded(sighting) && sighting.begunAt > firstEnd);
  return [
    ...(records.size > 1
      ? [problem('changed', `job ${jobId} has ended in ${records.size} ways: ${[...records].join(' ')}`)]
      : []),
    ...(back.length > 0 ? [problem('changed', `job ${jobId} had ended and was open again at ${whereOf(back)}`)] : []),
  ];
}

function hasEnded({ status }: Sighting): boolean {
  return status === 'completed' || status === 'failed';
}

function whereOf(sightings: readonly Sighting[]): string {
  return [...new Set(sightings.map(({ gateway }) => gateway))].join(', ');
}
