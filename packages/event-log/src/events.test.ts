import type { AcceptedUpload, JobEvent } from '@whetstone/contracts';

import {
  collectionOfUploadKey,
  jobIdOfUploadEvent,
  readJobEvent,
  replayDeadLetter,
  toJobLogEvent,
  toUploadLogEvent,
  uploadKeyOf,
} from './events.js';
import { decodeMessage } from './message-codec.js';

describe('toUploadLogEvent', () => {
  const upload: AcceptedUpload = {
    jobId: 'job_1',
    collectionId: 'c1_2',
    keyId: 'k1',
    acceptedAt: 1,
    bodyDigest: 'd',
    interaction: { query: 'Refund an order '.repeat(200), turns: [] },
  };

  it('keys the upload by its collection and keeps all that it says', async () => {
    const event = await toUploadLogEvent(upload, { traceparent: 't' });

    expect(collectionOfUploadKey(event.key)).toBe('c1_2');
    expect(event.headers?.['traceparent']).toBe('t');
    expect(await decodeMessage(event.value)).toEqual(upload);
  });

  it('names the job where it can be read without unpacking', async () => {
    const { headers = {} } = await toUploadLogEvent(upload);

    expect(jobIdOfUploadEvent({ headers })).toBe('job_1');
  });

  it('packs one that is large enough to be worth it', async () => {
    const large = { ...upload, interaction: { query: 'Refund an order '.repeat(2000), turns: [] } };
    const { value } = await toUploadLogEvent(large);

    expect(value.byteLength).toBeLessThan(JSON.stringify(large).length / 2);
    expect(await decodeMessage(value)).toEqual(large);
  });
});

describe('uploadKeyOf', () => {
  it('spreads the uploads of a collection over four keys that all name the collection', () => {
    const keys = Array.from({ length: 100 }, (_, index) => uploadKeyOf('c12_34', `job_${index}`));

    expect(new Set(keys).size).toBe(4);
    expect(new Set(keys.map(collectionOfUploadKey))).toEqual(new Set(['c12_34']));
  });

  it('gives a job the same key each time, so that its redelivered and replayed uploads stay in order', () => {
    expect(uploadKeyOf('c12_34', 'job_1')).toBe(uploadKeyOf('c12_34', 'job_1'));
  });
});

const completed: JobEvent = {
  status: 'completed',
  jobId: 'job_1',
  acceptedAt: 1,
  startedAt: 2,
  completedAt: 3,
  insightsStored: 0,
  outcome: 'nothing_to_learn',
};

describe('toJobLogEvent', () => {
  it('keeps the records of a job apart by status and together by partition', async () => {
    const ended = await toJobLogEvent(completed);
    const begun = await toJobLogEvent({ status: 'processing', jobId: 'job_1', acceptedAt: 1, startedAt: 2 });

    expect(ended.key).not.toBe(begun.key);
    expect(ended.partitionKey).toBe(begun.partitionKey);
  });

  it('keeps two completions apart, so that neither is compacted away', async () => {
    const [one, other] = [await toJobLogEvent(completed), await toJobLogEvent({ ...completed, completedAt: 4 })];

    expect(one.key).not.toBe(other.key);
    expect(one.partitionKey).toBe(other.partitionKey);
  });

  it('is read back by readJobEvent', async () => {
    const { key, value } = await toJobLogEvent(completed);
    const event = { topic: 't', partition: 0, offset: 0, timestampMs: 0, headers: {}, key, value };

    expect(await readJobEvent(event)).toEqual(completed);
  });
});

const day = 24 * 60 * 60 * 1_000_000;
const now = Date.UTC(2026, 2, 5) * 1000;

describe('replayDeadLetter', () => {
  it('gives the upload back as it was, with the time of the replay', () => {
    const upload = anUpload(now - day);

    expect(replayDeadLetter({ upload }, now)).toEqual({ ...upload, replayedAt: now });
  });

  it('counts a second replay from its own time', () => {
    expect(replayDeadLetter({ upload: { ...anUpload(now - day), replayedAt: now - 1 } }, now).replayedAt).toBe(now);
  });

  it('refuses an upload of more than 30 days ago, however late it was given up', () => {
    expect(() => replayDeadLetter({ upload: anUpload(now - 30 * day - 1) }, now)).toThrow(/30 days/);
    expect(replayDeadLetter({ upload: anUpload(now - 30 * day) }, now).replayedAt).toBe(now);
  });

  it('refuses what was never readable', () => {
    expect(() => replayDeadLetter({}, now)).toThrow(/never readable/);
  });
});

function anUpload(acceptedAt: number): AcceptedUpload {
  return {
    jobId: 'job_1',
    collectionId: 'c1_2',
    keyId: 'k1',
    acceptedAt,
    bodyDigest: 'd',
    interaction: { query: 'Refund an order', turns: [] },
  };
}
