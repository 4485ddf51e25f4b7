import { type JobEvent, topics } from '@whetstone/contracts';
import { type EventLog, type Following, readJobEvent } from '@whetstone/event-log';

import type { JobLookup } from '../domain/ports.js';
import { jobStateOf } from './in-memory-jobs.js';

export interface LogJobView extends JobLookup {
  readonly events: readonly JobEvent[];
  readonly following: Following;
}

/** The jobs topic as status sees it: every answer is as fresh as the log. */
export async function followJobs(log: EventLog): Promise<LogJobView> {
  const events: JobEvent[] = [];
  const byJob = new Map<string, JobEvent[]>();
  const following = await log.follow({
    topic: topics.jobs.name,
    async onEvents(batch) {
      for (const event of await Promise.all(batch.map(readJobEvent))) {
        events.push(event);
        byJob.set(event.jobId, [...(byJob.get(event.jobId) ?? []), event]);
      }
    },
    onReset: () => {},
    onCrash: (error) => {
      throw error;
    },
  });
  return {
    events,
    following,
    async getJob({ jobId }) {
      await following.catchUp(jobId);
      return jobStateOf(jobId, byJob.get(jobId) ?? []);
    },
  };
}
