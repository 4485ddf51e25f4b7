import { type AppError, backOffMs, isAppError, type Logger, logSparingly, sleep } from '@whetstone/platform';

import type { Delivery, JobReference, NoUpload, UploadInHand } from '../ports.js';
import { createJobRecords, hasEnded, type JobRecordsDeps, type OpenJob } from './job-records.js';
import { readJobReference } from './read-upload.js';
import {
  createWorkOnJob,
  type Disposition,
  isAway,
  longestWorkMs,
  type WorkConfig,
  type WorkOnJobDeps,
} from './work-on-job.js';

export type { Disposition } from './work-on-job.js';

export interface ProcessUploadDeps extends WorkOnJobDeps, JobRecordsDeps {
  logger: Logger;
}

export type ProcessUploadConfig = WorkConfig;

/**
 * Processes a job from the delivery of its upload to its durable end. It may stop anywhere and start again with another
 * delivery, here or elsewhere: repeating a step either has no effect or replaces the first one's.
 *
 * Resolves once the message is finished. Rejects if the signal aborts first.
 */
export type ProcessUpload = (delivery: Delivery, signal: AbortSignal) => Promise<Disposition>;

type JobToOpen = JobReference & Partial<Pick<UploadInHand, 'replayedAt' | 'collectionId' | 'interaction'>>;

/** `failure`: why it could not be read in time. */
type ReadMessage = { message: UploadInHand | NoUpload; failure?: AppError };

export function createProcessUpload(deps: ProcessUploadDeps, config: ProcessUploadConfig): ProcessUpload {
  const { clock, logger, monotonicMs, observer } = deps;
  const records = createJobRecords(deps, config, logger);
  const workOnJob = createWorkOnJob(deps, records, config);

  return async (delivery, signal) => {
    signal.throwIfAborted();
    const { message, failure } = await read(delivery, signal);
    if ('problem' in message) return buryUnreadable(delivery, message, signal);
    return failure ? giveUpUnread(message, failure, signal) : processUpload(message, signal);
  };

  /**
   * A message that a thread cannot read within its limits gets as many tries as one that it cannot analyse. It is
   * then given up as a whole upload, so that it can be replayed. Waiting for a thread or a data key costs no try, but
   * ends when a job's time is over.
   */
  async function read(delivery: Delivery, signal: AbortSignal): Promise<ReadMessage> {
    const log = logger.child({ job_id: delivery.jobId });
    const reportAway = logSparingly(log, 'An upload cannot be read yet; waiting');
    const begunMs = monotonicMs();
    let tries = 0;
    for (let waits = 1; ; waits++) {
      try {
        return { message: await delivery.read(signal) };
      } catch (error) {
        signal.throwIfAborted();
        if (isAway(error)) {
          if (monotonicMs() - begunMs > longestWorkMs) return unread(delivery, error);
          reportAway(error);
        } else {
          if (!isAppError(error, 'analysis_failed') && !isAppError(error, 'analysis_timeout')) throw error;
          if (++tries >= config.maxTries) return unread(delivery, error);
          log.warn({ err: error, tries }, 'Reading an upload failed; retrying');
          observer.retried();
        }
      }
      await sleep(backOffMs(waits, config), { signal });
    }
  }

  async function unread(delivery: Delivery, failure: AppError): Promise<ReadMessage> {
    return { message: await delivery.readToGiveUp(), failure };
  }

  async function processUpload(upload: UploadInHand, signal: AbortSignal): Promise<Disposition> {
    const { replayedAt } = upload;
    const job = openJob(upload);
    const state = await records.ask(job, signal);
    if (hasEnded(state, replayedAt)) return 'skipped';
    const startedAt = await records.begin(job, state, signal);
    observer.stage('queued', (startedAt - (replayedAt ?? upload.acceptedAt)) / 1_000_000);
    return workOnJob(upload, { ...job, startedAt }, signal);
  }

  async function giveUpUnread(upload: UploadInHand, failure: AppError, signal: AbortSignal): Promise<Disposition> {
    const job = openJob(upload);
    if (hasEnded(await records.ask(job, signal), upload.replayedAt)) return 'skipped';
    const { code: reason, message: detail } = failure;
    const letter = { upload: await upload.whole(), reason, detail, tries: config.maxTries, failedAt: clock.now() };
    return (await records.giveUp(letter, job, signal)) ? 'failed' : 'skipped';
  }

  async function buryUnreadable(
    delivery: Delivery,
    { problem, job = readJobReference(delivery, delivery.appendedAt) }: NoUpload,
    signal: AbortSignal,
  ): Promise<Disposition> {
    const open = job && openJob(job);
    if (open && hasEnded(await records.ask(open, signal))) return 'skipped';
    const unreadable = delivery.raw();
    const letter = { unreadable, reason: 'unreadable_message', detail: problem, tries: 0, failedAt: clock.now() };
    return (await records.giveUp(letter, open, signal)) ? 'failed' : 'skipped';
  }

  function openJob({ jobId, acceptedAt, replayedAt, collectionId, interaction }: JobToOpen): OpenJob {
    const run = {
      ...(collectionId === undefined ? {} : { collectionId }),
      ...(interaction?.success === undefined ? {} : { success: interaction.success }),
    };
    return { jobId, acceptedAt, run, replayedAt, takenAtMs: monotonicMs(), log: logger.child({ job_id: jobId }) };
  }
}
