import type { JobEvent } from '@whetstone/contracts';

import { decodeMessage, encodeMessage } from './message-codec.js';
import type { LogEvent, NewEvent } from './ports.js';

/**
 * A job's event as it goes into the jobs topic. The status is part of the key, so that compaction never lets a late
 * `processing` erase a `completed`; of a completion its time is, too, so that a second one never erases the first, which
 * counts. The job alone decides the partition, so that its records stay in order.
 */
export async function toJobLogEvent(event: JobEvent, headers: Record<string, string> = {}): Promise<NewEvent> {
  return { key: jobEventKey(event), partitionKey: event.jobId, value: await encodeMessage(event), headers };
}

export function readJobEvent(event: LogEvent): Promise<JobEvent> {
  return decodeMessage<JobEvent>(event.value);
}

export function jobEventKey(event: JobEvent): string {
  const { jobId, status } = event;
  return status === 'completed' ? `${jobId}:${status}:${event.completedAt}` : `${jobId}:${status}`;
}
