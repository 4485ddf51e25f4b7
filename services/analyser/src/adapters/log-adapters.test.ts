import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { topics } from '@whetstone/contracts';
import {
  decodeMessage,
  type LocalEventLog,
  type LogEvent,
  openLocalEventLog,
  readJobEvent,
  toUploadLogEvent,
} from '@whetstone/event-log';

import { anUpload, createPlainProducer, startOfTest } from '../test-kit/index.js';
import { createLogDeadLetters } from './log-dead-letters.js';
import { toDelivery } from './log-delivery.js';
import { createLogJobEvents } from './log-job-events.js';

const upload = anUpload({ at: startOfTest });
const { jobId, acceptedAt } = upload;
const reason = { reason: 'analysis_failed', detail: 'poison', tries: 3, failedAt: startOfTest + 1 };

describe('the adapters over the log', () => {
  let folder: string;
  let log: LocalEventLog;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'analyser-'));
    log = await openLocalEventLog({ path: join(folder, 'log.db'), topics: Object.values(topics) });
  });
  afterEach(async () => {
    await log.close();
    await rm(folder, { recursive: true });
  });

  it('write the records of a job in order, each status under its own key', async () => {
    const { append } = createLogJobEvents(log);
    const begun = { status: 'processing', jobId, acceptedAt, startedAt: acceptedAt + 1 } as const;
    const failed = { status: 'failed', jobId, acceptedAt, failedAt: acceptedAt + 2, errorMessage: 'sealed' } as const;

    await append(begun);
    await append(failed);

    const events = await eventsOf(topics.jobs.name);
    expect(events.map(({ key }) => key)).toEqual([`${jobId}:processing`, `${jobId}:failed`]);
    expect(await Promise.all(events.map(readJobEvent))).toEqual([begun, failed]);
  });

  it('keep an upload that was given up under the key that it had', async () => {
    await createLogDeadLetters(log).append({ upload, ...reason });

    const [event] = await eventsOf(topics.deadLetters.name);
    expect(event?.key).toBe((await toUploadLogEvent(upload)).key);
    expect(await decodeMessage(event?.value ?? new Uint8Array())).toEqual({ upload, ...reason });
  });

  it('keep the bytes of a message that cannot be read', async () => {
    const value = Buffer.from([0x1f, 0x8b, 0xff, 0x00, 0x80]);
    await log.append(topics.uploads.name, { key: 'c1_2:3', value, headers: { 'job-id': 'job_1' } });
    const [poison] = await eventsOf(topics.uploads.name);
    const delivery = toDelivery(poison as LogEvent, createPlainProducer());

    expect(await delivery.read(new AbortController().signal)).toEqual({
      problem: 'A value of the log is not a message',
    });
    await createLogDeadLetters(log).append({ unreadable: delivery.raw(), ...reason });

    const [letter] = await eventsOf(topics.deadLetters.name);
    expect(letter?.key).toBe('c1_2:3');
    expect(await decodeMessage(letter?.value ?? new Uint8Array())).toEqual({
      unreadable: { key: 'c1_2:3', value: value.toString('base64'), jobId: 'job_1' },
      ...reason,
    });
  });

  async function eventsOf(topic: string): Promise<LogEvent[]> {
    const read: LogEvent[] = [];
    const fail = (error: Error) => {
      throw error;
    };
    const onEvents = (events: LogEvent[]) => void read.push(...events);
    const following = await log.follow({ topic, onEvents, onReset: () => {}, onCrash: fail });
    await following.caughtUp();
    await following.stop();
    return read;
  }
});
