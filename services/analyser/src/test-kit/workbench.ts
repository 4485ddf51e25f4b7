import type { AcceptedUpload, DeadLetter } from '@whetstone/contracts';
import { createEnhancementIds } from '@whetstone/identity';
import { AppError, type Clock, createLogger, type ErrorCode } from '@whetstone/platform';

import {
  createProcessUpload,
  type Disposition,
  type ProcessUploadConfig,
  type ProcessUploadDeps,
} from '../domain/jobs/process-upload.js';
import { takeInHand } from '../domain/jobs/read-upload.js';
import type { Delivery, JobObserver } from '../domain/ports.js';
import { createInMemoryJobs, createInMemoryKnowledge, type InMemoryJobs, type InMemoryKnowledge } from './in-memory.js';
import { createPlainProducer, testRoots, testSeal } from './uploads.js';

export const minute = 60 * 1_000_000;
export const hour = 60 * minute;
export const startOfTest = Date.UTC(2026, 2, 5) * 1000;

const quick: ProcessUploadConfig = { maxTries: 3, storingTimeoutMs: 5000, firstWaitMs: 1, longestWaitMs: 4 };

export interface Workbench {
  jobs: InMemoryJobs;
  knowledge: InMemoryKnowledge;
  letters: DeadLetter[];
  heard: string[];
  clock: Clock & { time: number };
  deliver(delivery: Delivery, signal?: AbortSignal): Promise<Disposition>;
  process(upload: AcceptedUpload, signal?: AbortSignal): Promise<Disposition>;
}

/** Processes uploads with in-memory dependencies and a clock that the test controls. */
export function createWorkbench(
  change: Partial<ProcessUploadDeps> = {},
  config: Partial<ProcessUploadConfig> = {},
): Workbench {
  const jobs = createInMemoryJobs();
  const knowledge = createInMemoryKnowledge();
  const letters: DeadLetter[] = [];
  const heard: string[] = [];
  const clock = {
    time: startOfTest,
    now: () => ++clock.time,
  };
  const deps: ProcessUploadDeps = {
    jobs,
    appendEvent: jobs.appendEvent,
    appendDeadLetter: async (letter) => void letters.push(letter),
    knowledge,
    producer: createPlainProducer(),
    seal: testSeal,
    enhancementIds: createEnhancementIds(testRoots),
    clock,
    monotonicMs: () => clock.time / 1000,
    logger: createLogger({ service: 'analyser', level: 'silent', pretty: false }),
    observer: createHearingObserver(heard),
    ...change,
  };
  const processUpload = createProcessUpload(deps, { ...quick, ...config });
  return {
    jobs,
    knowledge,
    letters,
    heard,
    clock,
    deliver: (delivery: Delivery, signal = new AbortController().signal) => processUpload(delivery, signal),
    process: (upload: AcceptedUpload, signal = new AbortController().signal) =>
      processUpload(deliveryOf(upload), signal),
  };
}

export function deliveryOf(value: unknown): Delivery {
  const read = async () => takeInHand(structuredClone(value), startOfTest);
  return {
    appendedAt: startOfTest,
    read,
    readToGiveUp: read,
    raw: () => ({ key: 'c:0', value: Buffer.from(JSON.stringify(value)).toString('base64') }),
  };
}

/** Fails the first `times` calls. */
export function failing<Args extends unknown[], Result>(
  times: number,
  work: (...args: Args) => Promise<Result>,
  code: ErrorCode = 'internal',
  retryable = false,
): (...args: Args) => Promise<Result> {
  let left = times;
  return (...args) =>
    left-- > 0 ? Promise.reject(new AppError(code, 'does not work now', { retryable })) : work(...args);
}

function createHearingObserver(heard: string[]): JobObserver {
  return {
    stage: () => {},
    ended: (outcome) => heard.push(`ended ${outcome}`),
    retried: () => heard.push('retried'),
    deadLettered: () => heard.push('dead letter'),
    insightsDropped: (reason, count) => heard.push(`dropped ${count} ${reason}`),
    outcomeTold: ({ arm }, success) => heard.push(`told ${arm} ${success}`),
  };
}

/** Fails at random, before or after the work is done, so that the caller cannot tell which. */
export function unreliable<Args extends unknown[], Result>(
  random: () => number,
  code: ErrorCode,
  work: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  const away = () => new AppError(code, 'away', { retryable: true });
  return async (...args) => {
    const fate = random();
    if (fate < 0.15) throw away();
    const result = await work(...args);
    if (fate < 0.3) throw away();
    return result;
  };
}
