import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type JobEvent, topics } from '@whetstone/contracts';
import { type EventLog, openLocalEventLog, toJobLogEvent } from '@whetstone/event-log';
import { createJobIds, createRootSecrets } from '@whetstone/identity';
import { createLogger, Registry } from '@whetstone/platform';

import { createStatus, type StatusService } from './create-status.js';

const roots = createRootSecrets('a root secret of at least thirty-two characters');
const logger = createLogger({ service: 'test', level: 'silent', pretty: false });
const acceptedAt = Date.UTC(2026, 2, 5) * 1000;
const secondMicros = 1_000_000;

describe('status', () => {
  let folder: string;
  let log: EventLog;
  let now: number;
  let services: StatusService[];
  const clock = { now: () => now++ };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whetstone-status-'));
    now = acceptedAt + 90 * secondMicros;
    services = [];
    log = await openLog();
  });
  afterEach(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await log.close();
    await rm(folder, { recursive: true });
  });

  it('answers processing for a job that nobody has written about', async () => {
    const { api } = await started();

    expect(await api.getJob({ jobId: aJob() }, {})).toMatchObject({ status: 'processing', acceptedAt });
  });

  it('knows an end as soon as it is written, however often it is asked', async () => {
    const { api } = await started();
    for (let round = 0; round < 20; round++) {
      const jobId = aJob();
      await write(completed(jobId));
      expect((await api.getJob({ jobId }, {})).status).toBe('completed');
    }
  });

  it('never says processing after another replica has told the end', async () => {
    const [one, other] = [await started('one'), await started('other')];
    const jobIds = Array.from({ length: 30 }, aJob);
    const ended = new Set<string>();
    const writing = (async () => {
      for (const jobId of jobIds) await write(completed(jobId));
    })();

    const ask = async ({ api }: StatusService, jobId: string) => {
      const wasEnded = ended.has(jobId);
      const { status } = await api.getJob({ jobId }, {});
      if (status === 'completed') ended.add(jobId);
      else expect(wasEnded).toBe(false);
    };
    while (ended.size < jobIds.length) {
      await Promise.all(jobIds.flatMap((jobId) => [ask(one, jobId), ask(other, jobId)]));
    }
    await writing;
  });

  it('merges records that arrive in the wrong order', async () => {
    const { api } = await started();
    const jobId = aJob();
    await write(completed(jobId));
    await write({ status: 'failed', jobId, acceptedAt, failedAt: acceptedAt + 9, errorMessage: 's' });
    await write({ status: 'processing', jobId, acceptedAt, startedAt: acceptedAt + 2 });

    expect(await api.getJob({ jobId }, {})).toEqual(completed(jobId));
  });

  it('is ready only once it has read what was there, and answers nothing before', async () => {
    const jobId = aJob();
    await write(completed(jobId));
    const service = create();
    expect(service.health().ready).toBe(false);
    await expect(service.api.getJob({ jobId }, {})).rejects.toMatchObject({
      code: 'status_unavailable',
      retryable: true,
    });

    await service.start();
    await ready(service);

    expect((await service.api.getJob({ jobId }, {})).status).toBe('completed');
  });

  it('goes on where it was after a restart', async () => {
    const [early, late] = [aJob(), aJob()];
    await write(completed(early));
    await (await started()).stop();
    await write(completed(late));

    const { api } = await started();

    expect((await api.getJob({ jobId: early }, {})).status).toBe('completed');
    expect((await api.getJob({ jobId: late }, {})).status).toBe('completed');
  });

  it('builds its table again when the file is broken', async () => {
    const jobId = aJob();
    await write(completed(jobId));
    await (await started()).stop();
    await writeFile(join(folder, 'status.db'), 'this is no database '.repeat(500));

    const { api } = await started();

    expect((await api.getJob({ jobId }, {})).status).toBe('completed');
  });

  it('builds its table again when it belongs to another log', async () => {
    const gone = aJob();
    await write(completed(gone));
    await (await started()).stop();
    await log.close();
    for (const suffix of ['', '-wal', '-shm']) await rm(join(folder, `log.db${suffix}`), { force: true });
    log = await openLog();

    const { api } = await started();

    expect((await api.getJob({ jobId: gone }, {})).status).toBe('processing');
  });

  it('tells while the log is away which jobs have ended as far as it knows, and guesses at no other', async () => {
    const service = await started();
    const [done, open] = [aJob(), aJob()];
    await write(completed(done));
    expect((await service.api.getJob({ jobId: done }, {})).status).toBe('completed');
    await log.close();

    expect((await service.api.getJob({ jobId: done }, {})).status).toBe('completed');
    await expect(service.api.getJob({ jobId: open }, {})).rejects.toMatchObject({
      code: 'status_unavailable',
      retryable: true,
    });
    expect(service.health().dependencies).toEqual([{ name: 'log', ok: false }]);
  });

  it('is not stopped by something in the topic that is no record', async () => {
    const jobId = aJob();
    const value = Buffer.from('{"status":"completed"}');
    await log.append(topics.jobs.name, { key: `${jobId}:odd`, partitionKey: jobId, value });
    await log.append(topics.jobs.name, { key: `${jobId}:bad`, partitionKey: jobId, value: Buffer.from('}') });
    await write(completed(jobId));

    const { api } = await started();

    expect((await api.getJob({ jobId }, {})).status).toBe('completed');
  });

  it('refuses what is no job id', async () => {
    const { api } = await started();

    await expect(api.getJob({ jobId: 'job_nonsense' }, {})).rejects.toMatchObject({ code: 'job_not_found' });
  });

  describe('asked to wait', () => {
    const waitMs = 60_000;

    it('answers when the job ends, to everyone who waits for it', async () => {
      const { api } = await started();
      const [jobId, other] = [aJob(), aJob()];
      const answers = [1, 2, 3].map(() => api.getJob({ jobId, waitMs }, {}));
      const late = api.getJob({ jobId: other, waitMs: 150 }, {});

      await write({ status: 'processing', jobId, acceptedAt, startedAt: acceptedAt + 2 });
      await write(completed(jobId));

      for (const answer of answers) expect((await answer).status).toBe('completed');
      expect((await late).status).toBe('processing');
    });

    it('answers at once about a job that has ended', async () => {
      const { api } = await started();
      const jobId = aJob();
      await write(completed(jobId));

      expect((await api.getJob({ jobId, waitMs }, {})).status).toBe('completed');
    });

    it('stops waiting when its caller does', async () => {
      const { api } = await started();
      const caller = new AbortController();
      const answer = api.getJob({ jobId: aJob(), waitMs }, { signal: caller.signal });
      setTimeout(() => caller.abort(new Error('gone')), 50);

      await expect(answer).rejects.toThrow('gone');
    });

    it('tells the present state when it drains, and from then on', async () => {
      const service = await started();
      const jobId = aJob();
      const answer = service.api.getJob({ jobId, waitMs }, {});
      setTimeout(() => service.drain?.(), 50);

      expect((await answer).status).toBe('processing');
      expect((await service.api.getJob({ jobId, waitMs }, {})).status).toBe('processing');
    });
  });

  it('reports the age of its view and of the oldest open job', async () => {
    const registry = new Registry();
    const service = await started('status', registry);
    const [open, done] = [aJob(), aJob()];
    await write({ status: 'processing', jobId: open, acceptedAt, startedAt: acceptedAt + 2 });
    await write({ ...completed(done), acceptedAt: acceptedAt - 50 * secondMicros });
    for (const jobId of [open, done]) await service.api.getJob({ jobId }, {});

    const text = await registry.metrics();

    expect(text).toMatch(/whetstone_view_age_seconds\{view="jobs"\} [\d.e-]+\n/);
    expect(text).toMatch(/whetstone_oldest_open_job_seconds 90\.\d+\n/);
  });

  function aJob(): string {
    return createJobIds(roots).issue({ account: 'acme', collectionId: 'c1' }, acceptedAt);
  }

  function openLog(): Promise<EventLog> {
    return openLocalEventLog({ path: join(folder, 'log.db'), topics: Object.values(topics), pollMs: 20 });
  }

  async function write(event: JobEvent): Promise<void> {
    await log.append(topics.jobs.name, await toJobLogEvent(event));
  }

  function create(name = 'status', registry = new Registry()): StatusService {
    const onCrash = (error: Error) => {
      throw error;
    };
    const config = {
      databasePath: join(folder, `${name}.db`),
      activityPath: join(folder, `${name}-activity.db`),
      catchUpTimeoutMs: 60_000,
    };
    const service = createStatus({ log, clock, logger, registry, onCrash }, config);
    services.push(service);
    return service;
  }

  async function started(name?: string, registry?: Registry): Promise<StatusService> {
    const service = create(name, registry);
    await service.start();
    await ready(service);
    return service;
  }
});

async function ready(service: StatusService): Promise<void> {
  while (!service.health().ready) await new Promise((resolve) => setImmediate(resolve));
}

function completed(jobId: string): JobEvent {
  return {
    status: 'completed',
    jobId,
    acceptedAt,
    startedAt: acceptedAt + 2,
    completedAt: acceptedAt + 3,
    insightsStored: 1,
    outcome: 'stored',
  };
}
