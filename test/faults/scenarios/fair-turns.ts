import { unique } from '../../support/accounts.js';
import type { JobRecord } from '../../support/contract.js';
import { eventually, inParallel } from '../../support/eventually.js';
import { type Caller, createCaller, type Member } from '../clients/caller.js';
import { createHistory, type History, newTag } from '../clients/history.js';
import { createUploading, watchJob } from '../clients/requests.js';
import type { System } from '../systems/system.js';

export interface Turns {
  /** Of the busy collection, when the last job of the others had ended. */
  stillOpen: number;
  of: number;
}

/** Uploads of each of the others. A hundred times as many fit into what is taken from one partition at a time, however they are spread. */
const each = 2;
const timesAsMany = 100;

/** One collection has a hundred times the uploads of the others, all before them. How many were left when theirs had ended? */
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
  const endsOfBusy = await endsOf(history, busy, jobsOfBusy);
  const turns = { stillOpen: endsOfBusy.filter((end) => end > last).length, of: endsOfBusy.length };
  const said = `when the others had ended, ${turns.stillOpen} of ${turns.of} jobs of the busy collection had not`;
  process.stdout.write(`${system.name}: ${said}\n`);
  return turns;
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
  return inParallel(jobIds, 8, async (jobId) => {
    const ended = async () => {
      const sighting = await watchJob(history, caller, jobId);
      return sighting?.status === 'completed' ? sighting.record : undefined;
    };
    const record = await eventually(ended, { what: `job ${jobId} completes`, withinMs: 300_000, everyMs: 500 });
    return (JSON.parse(record) as JobRecord).completed_at as string;
  });
}
