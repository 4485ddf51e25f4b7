import type { JobRecord } from '../support/contract.js';

/** One upload as its client remembers it. */
export interface SentUpload {
  /** A word that is in this upload only. */
  word: string;
  tenantId: string;
  /** Absent when no 202 came: the upload may be there or not. */
  jobId?: string;
  /** It has an Idempotency-Key, and is sent again when its first answer was lost. */
  retried?: boolean;
}

/** One insight as an export shows it. */
export interface StoredInsight {
  id: string;
  jobId: string;
  text: string;
}

export interface Evidence {
  sent: readonly SentUpload[];
  /** What knowledge_status says of each acknowledged job in the end; undefined for a 404. */
  jobs: ReadonlyMap<string, JobRecord | undefined>;
  insights: readonly StoredInsight[];
}

/** Compares what clients were promised with what is there. Every broken promise, in words. */
export function checkPromises({ sent, jobs, insights }: Evidence): string[] {
  const acknowledged = sent.filter((upload) => upload.jobId !== undefined);
  return [
    ...acknowledged.flatMap(({ jobId }) => jobProblems(jobId as string, jobs.get(jobId as string), insights)),
    ...twice(acknowledged.map(({ jobId }) => jobId as string)).map((jobId) => `two uploads were given job ${jobId}`),
    ...twice(insights.map(({ id }) => id)).map((id) => `insight ${id} is there twice`),
    ...sent.flatMap((upload) => contentProblems(upload, insights)),
  ];
}

function jobProblems(jobId: string, job: JobRecord | undefined, insights: readonly StoredInsight[]): string[] {
  if (!job) return [`job ${jobId} was acknowledged and is unknown`];
  if (job.status !== 'completed') return [`job ${jobId} was acknowledged and is ${job.status}`];
  const stored = insights.filter((insight) => insight.jobId === jobId).length;
  return stored === job.insights_stored
    ? []
    : [`job ${jobId} says ${job.insights_stored} insights, ${stored} are there`];
}

/** What one upload taught is under one job, and under its own. */
function contentProblems({ word, jobId }: SentUpload, insights: readonly StoredInsight[]): string[] {
  const jobs = new Set(insights.filter(({ text }) => text.includes(word)).map((insight) => insight.jobId));
  if (jobs.size > 1) return [`upload ${word} was learnt under ${jobs.size} jobs`];
  if (jobId === undefined) return [];
  if (jobs.size === 0) return [`upload ${word} was acknowledged and has left nothing`];
  return jobs.has(jobId) ? [] : [`upload ${word} was learnt under another job than ${jobId}`];
}

function twice(names: readonly string[]): string[] {
  const seen = new Set<string>();
  return names.filter((name) => seen.size === seen.add(name).size);
}
