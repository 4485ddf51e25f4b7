import type { Acknowledgement, BatchResult, EnhancedResponse, JobRecord, Upload } from '../../support/contract.js';
import { lessons, shellSuccess } from '../../support/uploads.js';
import type { Place, SentUpload, Sighting, Topic } from '../evidence.js';
import { type Caller, operations, type Seen } from './caller.js';
import { type History, newMarker } from './history.js';

export interface NewUpload {
  place: Place;
  topic: Topic;
  /** Sent until acknowledged. */
  idempotencyKey?: string | undefined;
  /** Makes the analysis of this upload misbehave, so that its job must fail. */
  harm?: string;
}

/** An upload that can be sent repeatedly with the same bytes. */
export interface Uploading {
  readonly sent: SentUpload;
  readonly body: Upload;
  readonly place: Place;
  /** Whether this attempt was acknowledged. */
  send(caller: Caller, gateway?: string): Promise<boolean>;
  /** It was answered, and if it was accepted, with a job. */
  answered(at: number, jobId: string | undefined): void;
}

export function createUploading(history: History, { place, topic, idempotencyKey, harm }: NewUpload): Uploading {
  const { account, tenantId, tag } = place;
  const marker = newMarker(tag);
  const { task, command } = lessons[topic];
  const body: Upload = shellSuccess(tenantId, task, `${command} # ${marker}${harm === undefined ? '' : ` ${harm}`}`);
  const sent: SentUpload = {
    marker,
    tag,
    account,
    topic,
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    begunAt: Date.now(),
    endedAt: Number.POSITIVE_INFINITY,
    jobIds: [],
    fate: harm === undefined ? 'completed' : 'failed',
  };
  history.uploads.push(sent);

  function answered(at: number, jobId: string | undefined): void {
    sent.endedAt = at;
    if (jobId === undefined) return;
    sent.jobIds.push(jobId);
    history.owners.set(jobId, account);
  }

  return {
    sent,
    body,
    place,
    answered,
    async send(caller, gateway) {
      const {
        status,
        body: answer,
        endedAt,
      } = await caller.send<Acknowledgement>({
        operation: operations.store,
        body,
        place,
        headers: keyHeader(idempotencyKey),
        ...(gateway === undefined ? {} : { gateway }),
      });
      const isAccepted = status === operations.store.success && answer !== undefined;
      answered(endedAt, isAccepted ? answer.job_id : undefined);
      return isAccepted;
    },
  };
}

/** Sends uploads with the same Idempotency-Key as the lines of a batch. Sent again alone, each is the same job. */
export async function sendBatch(caller: Caller, uploadings: readonly Uploading[]): Promise<void> {
  const [first] = uploadings;
  if (!first) return;
  const { status, body, endedAt } = await caller.send<BatchResult>({
    operation: operations.store,
    path: '/batch',
    body: uploadings.map((uploading) => JSON.stringify(uploading.body)).join('\n'),
    headers: { 'content-type': 'application/x-ndjson', ...keyHeader(first.sent.idempotencyKey) },
    place: first.place,
    expected: [200],
  });
  for (const [at, uploading] of uploadings.entries()) {
    uploading.answered(endedAt, status === 200 ? body?.results[at]?.job_id : undefined);
  }
}

function keyHeader(key: string | undefined): Record<string, string> {
  return key === undefined ? {} : { 'idempotency-key': key };
}

/** Asks for a job and records the answer; undefined if there was none or it was an error. */
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

/** Asks what a place knows about a topic. The answer must start with the whole task. */
export async function ask(
  history: History,
  caller: Caller,
  place: Place,
  topic: Topic,
  gateway?: string,
): Promise<Seen<EnhancedResponse>> {
  const task = lessons[topic].asked;
  const seen = await caller.send<EnhancedResponse>({
    operation: operations.enhance,
    body: { tenant_id: place.tenantId, input_text: task },
    place,
    ...(gateway === undefined ? {} : { gateway }),
  });
  if (seen.status === 200 && !seen.body?.response.startsWith(task)) {
    history.oddities.push(`enhance_task did not keep the task: ${seen.text.slice(0, 300)}`);
  }
  return seen;
}

/** Only uploads of the topic itself are this similar. */
const similarity = '0.9';

/** Deletes everything of a topic in a place. */
export async function deleteTopic(history: History, caller: Caller, place: Place, topic: Topic): Promise<void> {
  const { status, begunAt, endedAt } = await caller.send({
    operation: operations.delete,
    query: { tenant_id: place.tenantId, intent: lessons[topic].task, similarity_threshold: similarity },
    place,
  });
  history.deletions.push({ tag: place.tag, topic, begunAt, endedAt, done: status === 200 });
}
