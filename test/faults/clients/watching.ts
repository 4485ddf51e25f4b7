import type { JobRecord } from '../../support/contract.js';
import type { Sighting } from '../evidence.js';
import { type Caller, operations } from './caller.js';
import type { History } from './history.js';

/** Asks for a job and remembers what it was told; undefined when there was no answer, or that of a failure. */
export async function watchJob(
  history: History,
  caller: Caller,
  jobId: string,
  gateway?: string,
): Promise<Sighting | undefined> {
  const seen = await caller.send<JobRecord>({
    operation: operations.status,
    path: `/${jobId}`,
    expected: [200, 404],
    ...(gateway === undefined ? {} : { gateway }),
  });
  if (seen.status !== 200 && seen.status !== 404) return undefined;
  const sighting: Sighting = {
    jobId,
    gateway: seen.gateway,
    begunAt: seen.begunAt,
    endedAt: seen.endedAt,
    status: seen.status === 404 ? 'unknown' : (seen.body?.status ?? 'unknown'),
    record: seen.text,
  };
  history.sightings.push(sighting);
  return sighting;
}
