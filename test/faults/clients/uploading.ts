import { unique } from '../../support/accounts.js';
import type { Acknowledgement, Upload } from '../../support/contract.js';
import { lessons, shellSuccess } from '../../support/uploads.js';
import type { Place, SentUpload, Topic } from '../evidence.js';
import { type Caller, operations } from './caller.js';
import type { History } from './history.js';
import { newMarker } from './markers.js';

export interface NewUpload {
  place: Place;
  topic: Topic;
  /** With an Idempotency-Key, to be sent again until it is acknowledged. */
  keyed?: boolean;
  /** What makes the analysis of this upload misbehave; its job then has to fail. */
  harm?: string;
}

/** An upload that can be sent any number of times: each time the same bytes. */
export interface Uploading {
  readonly sent: SentUpload;
  /** True when it was acknowledged, now. */
  send(caller: Caller, gateway?: string): Promise<boolean>;
}

export function createUploading(history: History, { place, topic, keyed = false, harm }: NewUpload): Uploading {
  const { account, tenantId, tag } = place;
  const marker = newMarker(tag);
  const { task, command } = lessons[topic];
  const body: Upload = shellSuccess(tenantId, task, `${command} # ${marker}${harm === undefined ? '' : ` ${harm}`}`);
  const sent: SentUpload = {
    marker,
    tag,
    account,
    topic,
    ...(keyed ? { idempotencyKey: unique('retry') } : {}),
    begunAt: Date.now(),
    endedAt: Number.POSITIVE_INFINITY,
    jobIds: [],
    fate: harm === undefined ? 'completed' : 'failed',
  };
  history.uploads.push(sent);

  return {
    sent,
    async send(caller, gateway) {
      const {
        status,
        body: answer,
        endedAt,
      } = await caller.send<Acknowledgement>({
        operation: operations.store,
        body,
        place,
        headers: sent.idempotencyKey === undefined ? {} : { 'idempotency-key': sent.idempotencyKey },
        ...(gateway === undefined ? {} : { gateway }),
      });
      sent.endedAt = endedAt;
      if (status !== operations.store.success || answer === undefined) return false;
      sent.jobIds.push(answer.job_id);
      history.owners.set(answer.job_id, account);
      return true;
    },
  };
}
