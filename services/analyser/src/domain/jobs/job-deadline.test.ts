import { AppError } from '@whetstone/platform';

import {
  anUpload,
  createInMemoryKnowledge,
  createWorkbench,
  deliveryOf,
  hour,
  minute,
  startOfTest,
} from '../../test-kit/index.js';
import type { Delivery } from '../ports.js';

const at = startOfTest - 5 * minute;
const day = 24 * hour;

describe('a job that nobody was there to work on', () => {
  it.each([1, 8, 35])('gets its try after %s days', async (days) => {
    const { process, letters } = createWorkbench();

    expect(await process(anUpload({ at: startOfTest - days * day }))).toBe('completed');
    expect(letters).toEqual([]);
  });

  it('gets its try also if it was begun before everything stood still', async () => {
    const { process, jobs, clock } = createWorkbench();
    const upload = anUpload({ at });
    await jobs.appendEvent({ status: 'processing', jobId: upload.jobId, acceptedAt: at, startedAt: clock.now() });
    clock.time += 8 * day;

    expect(await process(upload)).toBe('completed');
  });

  it('is given up once deletions from before may be forgotten, and its upload is kept', async () => {
    const { process, jobs, letters, knowledge } = createWorkbench();
    const upload = anUpload({ at: startOfTest - 39 * day - 1 });

    expect(await process(upload)).toBe('failed');

    expect(jobs.events.at(-1)).toMatchObject({ status: 'failed', jobId: upload.jobId });
    expect(letters).toMatchObject([{ reason: 'deadline_exceeded', tries: 0, upload: { jobId: upload.jobId } }]);
    expect(knowledge.calls).toEqual([]);
  });
});

describe('a job whose dependency is away', () => {
  it('waits for it, also if it has waited for long before', async () => {
    const bench = benchWhoseStoreIsAwayFor(18);

    expect(await bench.process(anUpload({ at: startOfTest - 8 * day }))).toBe('completed');
  });

  it('ends when it has been worked on for a day', async () => {
    const bench = benchWhoseStoreIsAwayFor(48);

    expect(await bench.process(anUpload({ at }))).toBe('failed');
    expect(bench.letters).toMatchObject([{ reason: 'deadline_exceeded', tries: 0 }]);
  });

  it.each([-10 * minute, 10 * minute])('waits as long where the wall clock is set by %s µs meanwhile', async (step) => {
    const [ofShort, ofLong] = [benchWhoseStoreIsAwayFor(18, step), benchWhoseStoreIsAwayFor(48, step)];

    expect(await ofShort.process(anUpload({ at }))).toBe('completed');
    expect(await ofLong.process(anUpload({ at }))).toBe('failed');
  });
});

describe('a job whose upload cannot be read because its data key is not known', () => {
  const unknown = new AppError('log_unavailable', 'The data key is not in the log', { retryable: true });

  function benchWhoseKeyIsUnknownFor(hours: number) {
    const bench = createWorkbench();
    const begun = bench.clock.time;
    const upload = anUpload({ at });
    const known = deliveryOf(upload);
    const read: Delivery['read'] = (signal) => {
      bench.clock.time += 6 * hour;
      return bench.clock.time - begun > hours * hour ? known.read(signal) : Promise.reject(unknown);
    };
    return { ...bench, upload, delivered: () => bench.deliver({ ...known, read }) };
  }

  it('waits for it', async () => {
    const bench = benchWhoseKeyIsUnknownFor(18);

    expect(await bench.delivered()).toBe('completed');
  });

  it('ends after a day, and its upload is kept as it is', async () => {
    const bench = benchWhoseKeyIsUnknownFor(48);

    expect(await bench.delivered()).toBe('failed');
    expect(bench.letters).toMatchObject([{ reason: 'log_unavailable', upload: { jobId: bench.upload.jobId } }]);
  });
});

/** Every call takes six hours; during the first of them, somebody sets the wall clock. */
function benchWhoseStoreIsAwayFor(hours: number, wallClockStep = 0) {
  let hoursGone = 0;
  const knowledge = createInMemoryKnowledge();
  const bench = createWorkbench({
    monotonicMs: () => hoursGone * 60 * 60 * 1000,
    knowledge: {
      ...knowledge,
      replace(request, call) {
        if (hoursGone >= hours) return knowledge.replace(request, call);
        bench.clock.time += 6 * hour + (hoursGone === 0 ? wallClockStep : 0);
        hoursGone += 6;
        return Promise.reject(new AppError('store_unavailable', 'away', { retryable: true }));
      },
    },
  });
  return bench;
}
