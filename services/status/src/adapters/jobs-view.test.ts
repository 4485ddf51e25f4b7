import { getEventListeners } from 'node:events';
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
  let crashes: Error[];
  let signals: AbortSignal[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whetstone-view-'));
    log = await openLocalEventLog({ path: join(folder, 'log.db'), topics: [topics.jobs], pollMs: 20 });
    table = new FailingTable(join(folder, 'status.db'));
    crashes = [];
    signals = recordSignals(() => {
      view = new JobsView({ log, table, logger, onCrash: (error) => crashes.push(error) });
    });
    await write('early');
    await view.start();
    await until(() => view.ready);
  });
  afterEach(async () => {
    await view.stop();
    expect(crashes).toEqual([]);
    table.close();
    await log.close();
    await rm(folder, { recursive: true });
  });

  it('reads everything again when the table turns out to be broken while it is written', async () => {
    table.writeFailures = [malformed];
    await write('late');

    await until(() => table.writeFailures.length === 0 && view.ready);
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
    table.writeFailures = [full];
    await write('late');
    await view.catchUp('late');

    expect(view.get('late')).toEqual(begun('late'));
    expect(view.get('early')).toEqual(begun('early'));
  });

  it('leaves no listener behind when it waits', async () => {
    table.writeFailures = [full, full];
    await write('late');
    await view.catchUp('late');

    expect(signals.map((signal) => getEventListeners(signal, 'abort').length)).toEqual([0]);
  });

  it('ends at once for a mistake in the program: waiting does not mend it', async () => {
    table.writeFailures = [new TypeError('x is not a function'), full];
    await write('late');

    await until(() => crashes.length > 0);
    expect(crashes.splice(0)).toEqual([new TypeError('x is not a function')]);
    expect(table.writeFailures).toHaveLength(1);
  });

  it('tells the first of two completions, also where it reads everything again after compaction', async () => {
    const first = completed('twice', 20);
    for (const event of [first, completed('twice', 10)]) await log.append(topics.jobs.name, await toJobLogEvent(event));
    await view.catchUp('twice');
    expect(view.get('twice')).toEqual(first);

    await log.maintain();
    table.writeFailures = [malformed];
    await write('late');

    await until(() => table.writeFailures.length === 0 && view.ready);
    expect(view.get('twice')).toEqual(first);
  });

  async function write(jobId: string): Promise<void> {
    await log.append(topics.jobs.name, await toJobLogEvent(begun(jobId)));
  }
});

/** Fails as a broken file or a full disk would. */
class FailingTable extends SqliteJobTable {
  readFailure: Error | undefined;
  writeFailures: Error[] = [];

  override get(jobId: string): JobEvent | undefined {
    const failure = this.readFailure;
    this.readFailure = undefined;
    if (failure) throw failure;
    return super.get(jobId);
  }

  override apply(events: readonly JobEvent[], positions: readonly number[]): void {
    const failure = this.writeFailures.shift();
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

/** The signals of all controllers that `work` creates. */
function recordSignals(work: () => void): AbortSignal[] {
  const signals: AbortSignal[] = [];
  const Original = globalThis.AbortController;
  globalThis.AbortController = class extends Original {
    constructor() {
      super();
      signals.push(this.signal);
    }
  };
  try {
    work();
  } finally {
    globalThis.AbortController = Original;
  }
  return signals;
}
