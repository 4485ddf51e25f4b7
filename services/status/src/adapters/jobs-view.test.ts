import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type JobEvent, topics } from '@whetstone/contracts';
import { type LocalEventLog, openLocalEventLog, toJobLogEvent } from '@whetstone/event-log';
import { createLogger } from '@whetstone/platform';

import { JobsView } from './jobs-view.js';
import { SqliteJobTable } from './sqlite-job-table.js';

const logger = createLogger({ service: 'test', level: 'silent', pretty: false });
const malformed = Object.assign(new Error('database disk image is malformed'), { errcode: 11 });
const full = Object.assign(new Error('database or disk is full'), { errcode: 13 });

describe('JobsView', () => {
  let folder: string;
  let log: LocalEventLog;
  let table: FailingTable;
  let view: JobsView;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whetstone-view-'));
    log = await openLocalEventLog({ path: join(folder, 'log.db'), topics: [topics.jobs], pollMs: 20 });
    table = new FailingTable(join(folder, 'status.db'));
    const onCrash = (error: Error) => {
      throw error;
    };
    view = new JobsView({ log, table, logger, onCrash });
    await write('early');
    await view.start();
    await until(() => view.ready);
  });
  afterEach(async () => {
    await view.stop();
    table.close();
    await log.close();
    await rm(folder, { recursive: true });
  });

  it('reads everything again when the table turns out to be broken while it is written', async () => {
    table.writeFailure = malformed;
    await write('late');

    await until(() => table.writeFailure === undefined && view.ready);
    expect(view.get('late')).toEqual(begun('late'));
    expect(view.get('early')).toEqual(begun('early'));
  });

  it('reads everything again when the table turns out to be broken while it is asked', async () => {
    table.readFailure = malformed;

    expect(() => view.get('early')).toThrow(expect.objectContaining({ code: 'status_unavailable', retryable: true }));
    expect(view.ready).toBe(false);

    await until(() => view.ready);
    expect(view.get('early')).toEqual(begun('early'));
  });

  it('waits for room on the disk', async () => {
    table.writeFailure = full;
    await write('late');
    await view.catchUp('late');

    expect(view.get('late')).toEqual(begun('late'));
    expect(view.get('early')).toEqual(begun('early'));
  });

  it('tells the first of two completions, also where it reads everything again after compaction', async () => {
    const first = completed('twice', 20);
    for (const event of [first, completed('twice', 10)]) await log.append(topics.jobs.name, await toJobLogEvent(event));
    await view.catchUp('twice');
    expect(view.get('twice')).toEqual(first);

    await log.maintain();
    table.writeFailure = malformed;
    await write('late');

    await until(() => table.writeFailure === undefined && view.ready);
    expect(view.get('twice')).toEqual(first);
  });

  async function write(jobId: string): Promise<void> {
    await log.append(topics.jobs.name, await toJobLogEvent(begun(jobId)));
  }
});

/** Fails once, as a broken file or a full disk would. */
class FailingTable extends SqliteJobTable {
  readFailure: Error | undefined;
  writeFailure: Error | undefined;

  override get(jobId: string): JobEvent | undefined {
    const failure = this.readFailure;
    this.readFailure = undefined;
    if (failure) throw failure;
    return super.get(jobId);
  }

  override apply(events: readonly JobEvent[], positions: readonly number[]): void {
    const failure = this.writeFailure;
    this.writeFailure = undefined;
    if (failure) throw failure;
    super.apply(events, positions);
  }
}

function begun(jobId: string): JobEvent {
  return { status: 'processing', jobId, acceptedAt: 1, startedAt: 2 };
}

function completed(jobId: string, completedAt: number): JobEvent {
  return { ...begun(jobId), status: 'completed', startedAt: 2, completedAt, insightsStored: 0, outcome: 'stored' };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1));
}
