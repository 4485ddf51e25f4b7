import { eventually, inParallel } from '../support/eventually.js';
import type { Caller } from './clients/caller.js';
import type { History } from './clients/history.js';
import { watchJob } from './clients/requests.js';
import type { Evidence } from './evidence.js';
import type { Installation } from './systems/system.js';

export interface GatherOptions {
  system: Installation;
  history: History;
  callers: readonly Caller[];
  /** How long jobs may take to end after the load. Those that have not are in the evidence. */
  endWithinMs: number;
}

/** Waits for every acknowledged job, then asks every gateway for each of them and exports all rows. */
export async function gatherEvidence({ system, history, callers, endWithinMs }: GatherOptions): Promise<Evidence> {
  const jobs = history.uploads.flatMap(({ account, jobIds }) =>
    [...new Set(jobIds)].map((jobId) => ({
      jobId,
      caller: callers.find((caller) => caller.account === account) as Caller,
    })),
  );
  const deadline = Date.now() + endWithinMs;
  await inParallel(jobs, 8, async ({ jobId, caller }) => {
    const ended = async () => isOver(await watchJob(history, caller, jobId)) || undefined;
    const withinMs = Math.max(0, deadline - Date.now());
    // The checker reports what has not ended.
    await eventually(ended, { what: `job ${jobId} ends`, withinMs, everyMs: 250 }).catch(() => undefined);
  });

  const quietSince = Date.now();
  const asked = system.gateways.flatMap((gateway) => jobs.map((job) => ({ ...job, gateway })));
  await inParallel(asked, 8, async ({ jobId, caller, gateway }) => {
    const told = () => watchJob(history, caller, jobId, gateway);
    await eventually(told, { what: `${gateway} answers for job ${jobId}`, everyMs: 250 }).catch(() => undefined);
  });
  const { uploads, deletions, sightings, leaks, oddities } = history;
  const rows = await system.exportRows();
  return { uploads, deletions, sightings, gateways: system.gateways, quietSince, rows, leaks, oddities };
}

function isOver(sighting: Awaited<ReturnType<typeof watchJob>>): boolean {
  return sighting !== undefined && sighting.status !== 'processing';
}
