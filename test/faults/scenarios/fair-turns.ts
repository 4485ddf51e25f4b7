import { unique } from '../../support/accounts.js';
import type { JobRecord } from '../../support/contract.js';
import { eventually, inParallel } from '../../support/eventually.js';
import { type Caller, createCaller, type Member } from '../clients/caller.js';
import { createHistory, type History, newTag } from '../clients/history.js';
import { createUploading, watchJob } from '../clients/requests.js';
import type { System } from '../systems/system.js';

export interface Turns {
  /** Jobs of the busy account that ended while those of the others were open. */
  meanwhile: number;
  of: number;
}

/** Uploads of each of the others. A hundred times as many are more than what is taken from the partitions at a time. */
const each = 20;
const timesAsMany = 100;

/** One account has a hundred times the uploads of the others, all before them. How many of its jobs end before theirs have? */
export async function takeTurns(system: System, members: readonly Member[]): Promise<Turns> {
  const history = createHistory();
  const [busy, ...others] = members.map((member) => createCaller({ member, history, address: () => system.front })) as [
    Caller,
    ...Caller[],
  ];
  let jobsOfBusy: string[] = [];
  let jobsOfOthers: { caller: Caller; jobs: string[] }[] = [];
  await system.withoutAnalysis(async () => {
    jobsOfBusy = await uploadAll(history, busy, each * timesAsMany);
    jobsOfOthers = await inParallel(others, 1, async (caller) => ({
      caller,
      jobs: await uploadAll(history, caller, each),
    }));
  });

  const ends = await Promise.all(jobsOfOthers.map(({ caller, jobs }) => endsOf(history, caller, jobs)));
  const last = ends.flat().sort().at(-1) as string;
  const endsOfBusy = await inParallel(jobsOfBusy, 8, (jobId) => endOf(history, busy, jobId));
  const meanwhile = endsOfBusy.filter((end) => end !== undefined && end <= last).length;
  const said = `when the others' ${ends.flat().length} jobs had ended, so had ${meanwhile} of ${jobsOfBusy.length} of the busy account`;
  process.stdout.write(`${system.name}: ${said}\n`);
  return { meanwhile, of: jobsOfBusy.length };
}

async function uploadAll(history: History, caller: Caller, count: number): Promise<string[]> {
  const place = { account: caller.account, tenantId: unique('room'), tag: newTag() };
  const uploadings = Array.from({ length: count }, () => createUploading(history, { place, topic: 'archive' }));
  await inParallel(uploadings, 16, (uploading) => uploading.send(caller));
  const jobs = uploadings.flatMap(({ sent }) => sent.jobIds);
  if (jobs.length < count) throw new Error(`Only ${jobs.length} of ${count} uploads were acknowledged`);
  return jobs;
}

/** When each of the jobs ended; such times sort as texts. */
function endsOf(history: History, caller: Caller, jobIds: readonly string[]): Promise<string[]> {
  return inParallel(jobIds, 8, (jobId) =>
    eventually(() => endOf(history, caller, jobId), {
      what: `job ${jobId} completes`,
      withinMs: 300_000,
      everyMs: 500,
    }),
  );
}

async function endOf(history: History, caller: Caller, jobId: string): Promise<string | undefined> {
  const sighting = await watchJob(history, caller, jobId);
  return sighting?.status === 'completed' ? (JSON.parse(sighting.record) as JobRecord).completed_at : undefined;
}
