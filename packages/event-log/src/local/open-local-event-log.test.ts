import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { TopicSpec } from '@whetstone/contracts';
import { Registry } from '@whetstone/platform';
import { createRecordingLogger, eventually } from '@whetstone/platform/test-kit';

import { Collector, View } from '../conformance/test-kit.js';
import { openDatabase } from './database.js';
import { type LocalEventLog, type LocalEventLogOptions, openLocalEventLog } from './open-local-event-log.js';

const dayMs = 24 * 60 * 60 * 1000;
const kept: TopicSpec = { name: 'kept', partitions: 1, compacted: false };
const weekly: TopicSpec = { name: 'weekly', partitions: 1, compacted: false, retentionMs: 7 * dayMs };
const compacted: TopicSpec = { name: 'compacted', partitions: 1, compacted: true };
const both: TopicSpec = { name: 'both', partitions: 1, compacted: true, retentionMs: 30 * dayMs };

describe('the local log in its file', () => {
  let folder: string;
  let logs: LocalEventLog[];
  let nowMs: number;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whetstone-local-'));
    logs = [];
    nowMs = Date.UTC(2026, 0, 1);
  });
  afterEach(async () => {
    await Promise.all(logs.map((log) => log.close()));
    await rm(folder, { recursive: true });
  });

  it('removes what is older than its retention, and nothing newer', async () => {
    const log = await open();
    for (let day = 0; day < 10; day++) {
      nowMs = Date.UTC(2026, 0, 1 + day);
      for (const topic of [kept, weekly]) await log.append(topic.name, event('k', `${day}`));
    }

    await log.maintain(Date.UTC(2026, 0, 10, 12) * 1000);

    expect(await textsOf(log, 'weekly')).toEqual(['3', '4', '5', '6', '7', '8', '9']);
    expect(await textsOf(log, 'kept')).toHaveLength(10);
  });

  it('keeps what a consumer group has not finished, however old it is', async () => {
    const log = await open();
    for (const text of ['done', 'unfinished', 'unseen']) await log.append('weekly', event('k', text));
    const before = await Collector.join(log, 'weekly', 'workers');
    await eventually(() => before.events.length === 3, 'all three');
    await log.maintain((nowMs + 8 * dayMs) * 1000);
    await before.consumption.commit(0, 1);
    await log.maintain((nowMs + 8 * dayMs) * 1000);
    await before.consumption.stop();

    expect(before.texts()).toEqual(['done', 'unfinished', 'unseen']);
    const after = await Collector.join(log, 'weekly', 'workers');
    await eventually(() => after.events.length > 0, 'what is left');
    expect(after.texts()).toEqual(['unfinished', 'unseen']);
    expect(await textsOf(log, 'weekly')).toEqual(['unfinished', 'unseen']);
  });

  it('removes a great deal in steps', async () => {
    const log = await open();
    await Promise.all(Array.from({ length: 1300 }, (_, index) => log.append('weekly', event('k', `${index}`))));
    await Promise.all(Array.from({ length: 1300 }, (_, index) => log.append('compacted', event('k', `${index}`))));

    await log.maintain((nowMs + 8 * dayMs) * 1000);

    expect(await textsOf(log, 'compacted')).toEqual(['1299']);
    await log.append('weekly', event('k', 'new'));
    expect(await textsOf(log, 'weekly')).toEqual(['new']);
  });

  it('compacts again what came after, and applies retention to compacted topics too', async () => {
    const log = await open();
    await log.append('both', event('old', 'expires'));
    nowMs += 20 * dayMs;
    for (const text of ['1', '2']) await log.append('both', event('a', text));
    await log.maintain();
    expect(await textsOf(log, 'both')).toEqual(['expires', '2']);

    for (const text of ['3', '4']) await log.append('both', event('a', text));
    await log.append('both', event('b', '1'));
    nowMs += 15 * dayMs;
    await log.maintain();

    expect(await textsOf(log, 'both')).toEqual(['4', '1']);
  });

  it('overwrites what it removes, in the file and in its write-ahead log, and returns the space', async () => {
    const log = await open();
    const value = (word: string) => Buffer.from(word.repeat(300));
    for (let index = 0; index < 200; index++) await log.append('weekly', { key: 'k', value: value('expired-text ') });
    await log.append('kept', { key: 'k', value: value('kept-text ') });
    await log.maintain();
    const before = (await bytesIn('log.db')).length;

    await log.maintain((nowMs + 8 * dayMs) * 1000);

    const files = Buffer.concat([await bytesIn('log.db'), await bytesIn('log.db-wal')]);
    expect(files.includes('expired-text')).toBe(false);
    expect(files.includes('kept-text')).toBe(true);
    expect((await bytesIn('log.db')).length).toBeLessThan(before / 2);
  });

  it('leaves nothing in the write-ahead log when it closes, and only a minute of it while it runs', async () => {
    const log = await open();
    await log.append('kept', event('k', 'some text'));
    await log.maintain();
    expect(await bytesIn('log.db-wal')).toHaveLength(0);

    await log.append('kept', event('k', 'other text'));
    await log.close();

    expect((await bytesIn('log.db')).includes('other text')).toBe(true);
    expect(await bytesIn('log.db-wal')).toHaveLength(0);
  });

  it('keeps appending while somebody reads for long, and empties the write-ahead log afterwards', async () => {
    const log = await open();
    await log.append('kept', event('k', 'before'));
    const other = openDatabase(join(folder, 'log.db'), 30);
    other.exec('BEGIN; SELECT count(*) FROM events');
    await log.append('kept', event('k', 'meanwhile'));
    await log.maintain();
    expect((await bytesIn('log.db-wal')).length).toBeGreaterThan(0);
    await log.append('kept', event('k', 'after'));
    other.close();

    await log.maintain();

    expect(await bytesIn('log.db-wal')).toHaveLength(0);
    expect(await textsOf(log, 'kept')).toEqual(['before', 'meanwhile', 'after']);
  });

  it('never gives an offset twice, whatever was removed', async () => {
    const first = await open();
    await first.append('weekly', event('k', 'a'));
    await first.append('weekly', event('k', 'b'));
    await first.maintain((nowMs + 30 * dayMs) * 1000);
    await first.close();

    const second = await open();
    await second.append('weekly', event('k', 'c'));
    const reader = await Collector.join(second, 'weekly', 'readers');
    await eventually(() => reader.events.length > 0, 'the event');

    expect(reader.events.map(({ offset }) => offset)).toEqual([2]);
  });

  it('builds a view anew when retention has removed what it had not read, and not otherwise', async () => {
    const log = await open();
    for (const text of ['a', 'b', 'c']) await log.append('weekly', event(text, text));
    await log.maintain((nowMs + 30 * dayMs) * 1000);
    nowMs += 30 * dayMs;
    await log.append('weekly', event('d', 'd'));

    const behind = await View.follow(log, 'weekly', [1]);
    const atEnd = await View.follow(log, 'weekly', [3]);
    await Promise.all([behind.following.caughtUp(), atEnd.following.caughtUp()]);

    expect([behind.resets, [...behind.values.keys()]]).toEqual([1, ['d']]);
    expect([atEnd.resets, [...atEnd.values.keys()]]).toEqual([0, ['d']]);
  });

  it('counts an expired topic as caught up', async () => {
    const log = await open();
    await log.append('weekly', event('a', 'a'));
    await log.maintain((nowMs + 30 * dayMs) * 1000);

    const view = await View.follow(log, 'weekly');
    await view.following.caughtUp();

    expect(view.applied).toBe(0);
  });

  it('is unavailable while another process does not let go of the file, and recovers by itself', async () => {
    const log = await open({ busyTimeoutMs: 30 });
    const other = openDatabase(join(folder, 'log.db'), 30);
    other.exec('BEGIN IMMEDIATE');

    await expect(log.append('kept', event('a', 'lost'))).rejects.toMatchObject({
      code: 'log_unavailable',
      retryable: true,
    });
    expect(log.healthy()).toBe(false);

    other.exec('ROLLBACK');
    other.close();
    await log.append('kept', event('a', 'kept'));
    expect(log.healthy()).toBe(true);
    expect(await textsOf(log, 'kept')).toEqual(['kept']);
  });

  it('tells a view how old it is while it cannot read on, whatever the wall clock says', async () => {
    const log = await open();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const following = await log.follow({
      topic: 'kept',
      onEvents: () => held,
      onReset: () => {},
      onCrash: () => {},
    });
    await following.caughtUp();
    await log.append('kept', event('a', 'a'));
    await eventually(() => following.ageSeconds() > 0.4, 'an old view');
    for (const step of [-600_000, 1_200_000]) {
      nowMs += step;
      const seconds = following.ageSeconds();
      expect(seconds).toBeGreaterThan(0.4);
      expect(seconds).toBeLessThan(300);
    }

    release();
    await eventually(() => following.ageSeconds() < 0.4, 'a young view');
  });

  it('delivers what is left of a damaged row, and everything behind it, and says so', async () => {
    const first = await open();
    for (const text of ['0', '1', '2', '3', '4']) await first.append('kept', event('a', text));
    await first.close();
    const file = openDatabase(join(folder, 'log.db'), 30);
    file.exec(`UPDATE events SET headers = 'damaged' WHERE position % 5 = 2`);
    file.close();

    const { logger, lines } = createRecordingLogger();
    const log = await open({ logger });
    const reader = await Collector.join(log, 'kept', 'readers');
    await eventually(() => reader.events.length === 5, 'the events');

    expect(reader.texts()).toEqual(['0', '1', '2', '3', '4']);
    expect(await textsOf(log, 'kept')).toEqual(['0', '1', '2', '3', '4']);
    expect(lines()).toContainEqual(
      expect.objectContaining({ level: 'error', topic: 'kept', partition: 0, msg: expect.stringContaining('damaged') }),
    );
  });

  it('says what is wrong with a file that is no log, and with another number of partitions', async () => {
    await (await open()).close();
    const topics = [{ ...kept, partitions: 2 }];
    await expect(open({ topics })).rejects.toMatchObject({ code: 'invalid_argument' });

    await writeFile(join(folder, 'other.db'), 'this is no database '.repeat(500));
    await expect(open({ path: join(folder, 'other.db') })).rejects.toMatchObject({ code: 'log_unavailable' });
  });

  it('refuses a topic that it does not have', async () => {
    const log = await open();

    await expect(log.append('nowhere', event('a', 'a'))).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  it('opens for several at once on a fresh folder', async () => {
    const opened = await Promise.all([open(), open(), open(), open()]);
    await Promise.all(opened.map((log, index) => log.append('kept', event('a', `${index}`))));

    expect((await textsOf(opened[0]!, 'kept')).sort()).toEqual(['0', '1', '2', '3']);
  });

  it('measures appends', async () => {
    const registry = new Registry();
    const log = await open({ registry });
    await Promise.all([1, 2, 3].map((index) => log.append('kept', event('a', `${index}`))));

    const metrics = await registry.metrics();
    expect(metrics).toContain('whetstone_append_duration_seconds_count 3');
    expect(metrics).toContain('whetstone_append_failures_total 0');
  });

  /** Empty if there is no such file. */
  function bytesIn(name: string): Promise<Buffer> {
    return readFile(join(folder, name)).catch(() => Buffer.alloc(0));
  }

  async function open(options: Partial<LocalEventLogOptions> = {}): Promise<LocalEventLog> {
    const log = await openLocalEventLog({
      path: join(folder, 'log.db'),
      topics: [kept, weekly, compacted, both],
      clock: { now: () => nowMs * 1000 },
      pollMs: 20,
      ...options,
    });
    logs.push(log);
    return log;
  }
});

function event(key: string, text: string): { key: string; value: Uint8Array } {
  return { key, value: Buffer.from(text) };
}

/** Everything a topic holds, read by a view of its own. */
async function textsOf(log: LocalEventLog, topic: string): Promise<string[]> {
  const texts: string[] = [];
  const following = await log.follow({
    topic,
    onEvents: (events) => void texts.push(...events.map(({ value }) => Buffer.from(value).toString())),
    onReset: () => {},
    onCrash: () => {},
  });
  await following.caughtUp();
  await following.stop();
  return texts;
}
