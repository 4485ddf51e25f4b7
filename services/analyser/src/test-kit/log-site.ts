import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AcceptedUpload, type DeadLetter, type JobEvent, topics } from '@whetstone/contracts';
import {
  decodeMessage,
  type EventLog,
  type Following,
  type LocalEventLog,
  openLocalEventLog,
  readJobEvent,
  toUploadLogEvent,
} from '@whetstone/event-log';
import { createEnhancementIds } from '@whetstone/identity';
import { createLogger, createSystemClock, Registry } from '@whetstone/platform';

import type { AnalyserConfig } from '../analyser-config.js';
import { type Analyser, type AnalyserDeps, createAnalyser } from '../create-analyser.js';
import { defaultEnhanceConfig } from '../domain/answer/enhance-task.js';
import type { JobLookup } from '../domain/ports.js';
import { createInMemoryKnowledge, type InMemoryKnowledge, jobStateOf } from './in-memory.js';
import { testRoots, testSeal } from './uploads.js';

const quick: AnalyserConfig = {
  concurrency: 8,
  stopGraceMs: 200,
  maxTries: 3,
  storingTimeoutMs: 5000,
  firstWaitMs: 1,
  longestWaitMs: 20,
  enhance: defaultEnhanceConfig,
  traces: { waitMs: 100, idleMs: 300, maxBytes: 1_000_000 },
  reflector: { threads: 1, memoryMb: 64, timeoutMs: 20_000, idleMs: 60_000 },
};

/** A real log in a temporary folder, and analysers on it that share one knowledge base. */
export interface LogSite {
  readonly log: LocalEventLog;
  readonly knowledge: InMemoryKnowledge;
  readonly jobs: LogJobView;
  readonly crashes: Error[];
  /** Starts an analyser; `close` stops it if it is still running. */
  startAnalyser(change?: Partial<AnalyserDeps>, config?: Partial<AnalyserConfig>): Promise<Analyser>;
  upload(upload: AcceptedUpload): Promise<void>;
  /** Resolves when all jobs have finished. */
  allEnded(uploads: readonly AcceptedUpload[]): Promise<void>;
  deadLetters(): Promise<DeadLetter[]>;
  close(): Promise<void>;
}

export async function openLogSite(knowledge = createInMemoryKnowledge()): Promise<LogSite> {
  const folder = await mkdtemp(join(tmpdir(), 'analyser-'));
  const log = await openLocalEventLog({ path: join(folder, 'log.db'), topics: Object.values(topics) });
  const jobs = await followJobs(log);
  const analysers: Analyser[] = [];
  const crashes: Error[] = [];

  return {
    log,
    knowledge,
    jobs,
    crashes,
    async startAnalyser(change = {}, config = {}) {
      const analyser = createAnalyser(
        {
          log,
          knowledge,
          jobs,
          enhancementIds: createEnhancementIds(testRoots),
          seal: testSeal,
          roots: testRoots,
          clock: createSystemClock(),
          logger: createLogger({ service: 'analyser', level: 'silent', pretty: false }),
          registry: new Registry(),
          onCrash: (error) => crashes.push(error),
          ...change,
        },
        { ...quick, ...config },
      );
      analysers.push(analyser);
      await analyser.start();
      return analyser;
    },
    upload: async (upload) => log.append(topics.uploads.name, await toUploadLogEvent(upload)),
    async allEnded(uploads) {
      const open = new Set(uploads.map(({ jobId }) => jobId));
      let seen = 0;
      while (open.size > 0) {
        for (const event of jobs.events.slice(seen)) if (event.status !== 'processing') open.delete(event.jobId);
        seen = jobs.events.length;
        if (open.size > 0) await sleep(5);
      }
    },
    async deadLetters() {
      const letters: DeadLetter[] = [];
      const following = await log.follow({
        topic: topics.deadLetters.name,
        onEvents: async (batch) => {
          letters.push(...(await Promise.all(batch.map(({ value }) => decodeMessage<DeadLetter>(value)))));
        },
        onReset: () => {},
        onCrash: (error) => crashes.push(error),
      });
      await following.caughtUp();
      await following.stop();
      return letters;
    },
    async close() {
      await Promise.all(analysers.map((analyser) => analyser.stop()));
      await log.close();
      await rm(folder, { recursive: true });
    },
  };
}

export interface LogJobView extends JobLookup {
  readonly events: readonly JobEvent[];
  readonly following: Following;
}

/** The jobs topic as status sees it, always up to date with the log. */
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
