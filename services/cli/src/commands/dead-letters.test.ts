import { type AcceptedUpload, type DeadLetter, type JobEvent, topics } from '@whetstone/contracts';
import { encodeMessage, splitEncrypted, toJobLogEvent, uploadKeyOf } from '@whetstone/event-log';

import { TestInstallation } from '../test-kit/installation.js';

const dayMicros = 86_400e6;
let whetstone: TestInstallation;

beforeEach(async () => {
  whetstone = await TestInstallation.create();
});
afterEach(() => whetstone.remove());

describe('dead-letters list', () => {
  it('tells what was given up and why, oldest first', async () => {
    await giveUp(letterOf('job_2', { failedAt: 2_000_000 }), letterOf('job_1', { failedAt: 1_000_000 }));

    expect(await list()).toEqual([
      {
        job_id: 'job_1',
        collection_id: 'c1',
        key_id: 'k1',
        accepted_at: expect.any(String),
        failed_at: '1970-01-01T00:00:01.000000Z',
        tries: 3,
        reason: 'analysis_failed',
        detail: 'out of\nmemory',
      },
      expect.objectContaining({ job_id: 'job_2' }),
    ]);
    expect((await whetstone.run('dead-letters', 'list')).stdout).toMatch(
      /JOB +FAILED \(UTC\) +TRIES +REASON +DETAIL\njob_1 +1970-01-01 00:00:01 +3 +analysis_failed +out of memory\njob_2/,
    );
  });

  it('tells of a job that was given up twice once, and not of one that has completed since', async () => {
    await giveUp(letterOf('job_1', { tries: 3 }), letterOf('job_1', { tries: 6 }), letterOf('job_2'));
    await complete('job_2');

    expect(await list()).toEqual([expect.objectContaining({ job_id: 'job_1', tries: 6 })]);
  });

  it('tells of what was never readable as an upload', async () => {
    await giveUp({ ...givenUp(), unreadable: { key: 'c1:0', value: 'bm9pc2U=' } });

    expect(await list()).toEqual([expect.objectContaining({ job_id: null })]);
    expect((await whetstone.run('dead-letters', 'list')).stdout).toContain('(unreadable upload)');
  });

  it('names the job of such a message where the log did, and refuses to replay it', async () => {
    await giveUp({ ...givenUp(), unreadable: { key: 'c1:0', value: 'bm9pc2U=', jobId: 'job_1' } });

    expect(await list()).toEqual([expect.objectContaining({ job_id: 'job_1' })]);
    expect(await whetstone.run('dead-letters', 'replay', '--job', 'job_1')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('never readable as an upload'),
    });
  });

  it('tells of both where a later letter of a job is not readable, until the job completes', async () => {
    await giveUp(letterOf('job_1'), unreadableLetterOf('job_1'), unreadableLetterOf('job_1'));
    expect(await list()).toEqual([
      expect.objectContaining({ job_id: 'job_1', reason: 'analysis_failed' }),
      expect.objectContaining({ job_id: 'job_1', reason: 'unreadable_message' }),
    ]);

    await complete('job_1');
    expect(await list()).toEqual([]);
  });

  it('leaves out what cannot be read, and says so', async () => {
    await giveUp(letterOf('job_1'));
    for (const { name } of [topics.deadLetters, topics.jobs]) {
      await whetstone.append(name, { key: 'damaged', value: Buffer.from('not a message') });
    }

    const { code, stdout, stderr } = await whetstone.run('dead-letters', 'list');
    expect([code, stdout]).toEqual([0, expect.stringContaining('job_1')]);
    expect(stderr).toMatch(
      /unreadable event: whetstone\.uploads\.dead\.v1, partition \d, offset 0\n.*whetstone\.jobs\.v1/,
    );
  });

  it('says so when nothing is given up', async () => {
    expect((await whetstone.run('dead-letters', 'list')).stdout).toBe('No dead letters.\n');
  });
});

describe('dead-letters replay', () => {
  it('appends the upload of one job again, marked as a replay', async () => {
    const letter = letterOf('job_1');
    await giveUp(letter, letterOf('job_2'));

    expect(await whetstone.ask('dead-letters', 'replay', '--job', 'job_1')).toEqual({
      replayed: ['job_1'],
      skipped: [],
    });
    expect(await uploads()).toEqual([{ ...letter.upload, replayedAt: expect.any(Number) }]);
  });

  it('appends an encrypted upload as it was, and shows why it failed like that of any other', async () => {
    const { interaction: _, ...envelope } = upload('job_1');
    const encrypted = { dataKeyId: 'key1', unpackedBytes: 70, data: Buffer.from('ciphertext').toString('base64') };
    await giveUp({ ...givenUp(), upload: { ...envelope, encrypted } });

    expect(await list()).toMatchObject([{ job_id: 'job_1', detail: 'out of\nmemory' }]);
    await whetstone.ask('dead-letters', 'replay', '--job', 'job_1');

    const [event] = await whetstone.events(topics.uploads.name);
    expect(splitEncrypted(event?.value ?? new Uint8Array())).toEqual({
      envelope: { ...envelope, replayedAt: expect.any(Number) },
      dataKeyId: 'key1',
      unpackedBytes: 70,
      data: Buffer.from('ciphertext'),
    });
  });

  it('finds the upload of a job whose later letter is not readable', async () => {
    const letter = letterOf('job_1');
    await giveUp(letter, unreadableLetterOf('job_1'));

    await whetstone.ask('dead-letters', 'replay', '--job', 'job_1');
    expect(await uploads()).toEqual([{ ...letter.upload, replayedAt: expect.any(Number) }]);
    expect(await whetstone.ask('dead-letters', 'replay', '--all')).toEqual({
      replayed: ['job_1'],
      skipped: [{ job_id: 'job_1', reason: expect.stringContaining('never readable as an upload') }],
    });
  });

  it('refuses a job that is not given up, one that is too old, and one that has completed', async () => {
    const old = upload('job_old', { acceptedAt: whetstone.now() - 31 * dayMicros });
    await giveUp({ ...givenUp(), upload: old }, letterOf('job_done'));
    await complete('job_done');

    for (const [job, why] of [
      ['job_unknown', 'There is no dead letter for job_unknown'],
      ['job_old', 'job_old was accepted more than 30 days ago'],
      ['job_done', 'There is no dead letter for job_done'],
    ] as const) {
      expect(await whetstone.run('dead-letters', 'replay', '--job', job)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(why),
      });
    }
    expect(await uploads()).toEqual([]);
  });

  it('replays all that can be, and says what it leaves alone', async () => {
    const old = upload('job_old', { acceptedAt: whetstone.now() - 31 * dayMicros });
    const unreadable = { key: 'c1:0', value: 'bm9pc2U=' };
    await giveUp(letterOf('job_1'), { ...givenUp(), upload: old }, letterOf('job_2'), { ...givenUp(), unreadable });

    const { replayed, skipped } = await whetstone.ask<{ replayed: string[]; skipped: { job_id: string | null }[] }>(
      'dead-letters',
      'replay',
      '--all',
    );

    expect(replayed.sort()).toEqual(['job_1', 'job_2']);
    expect(skipped.map((left) => left.job_id).sort()).toEqual(['job_old', null].sort());
    expect((await uploads()).map(({ jobId }) => jobId).sort()).toEqual(['job_1', 'job_2']);
  });
});

function givenUp() {
  return { reason: 'analysis_failed', detail: 'out of\nmemory', tries: 3, failedAt: 1_000_000 };
}

function upload(jobId: string, given: Partial<AcceptedUpload> = {}): AcceptedUpload {
  const interaction = { query: 'q', turns: [] };
  const acceptedAt = whetstone.now() - dayMicros;
  return { jobId, collectionId: 'c1', keyId: 'k1', acceptedAt, bodyDigest: 'd', interaction, ...given };
}

function letterOf(jobId: string, given: Partial<ReturnType<typeof givenUp>> = {}) {
  return { ...givenUp(), ...given, upload: upload(jobId) };
}

function unreadableLetterOf(jobId: string): DeadLetter {
  return {
    ...givenUp(),
    reason: 'unreadable_message',
    failedAt: 2_000_000,
    unreadable: { key: 'c1:0', value: 'bm8=', jobId },
  };
}

async function giveUp(...letters: DeadLetter[]): Promise<void> {
  for (const letter of letters) {
    const key = letter.upload ? uploadKeyOf('c1', letter.upload.jobId) : 'c1:0';
    await whetstone.append(topics.deadLetters.name, { key, value: await encodeMessage(letter, { gzip: true }) });
  }
}

async function complete(jobId: string): Promise<void> {
  const times = { acceptedAt: 1, startedAt: 2, completedAt: 3 };
  const event: JobEvent = { status: 'completed', jobId, ...times, insightsStored: 1, outcome: 'stored' };
  await whetstone.append(topics.jobs.name, await toJobLogEvent(event));
}

async function list(): Promise<unknown[]> {
  return (await whetstone.ask<{ dead_letters: unknown[] }>('dead-letters', 'list')).dead_letters;
}

function uploads(): Promise<AcceptedUpload[]> {
  return whetstone.read(topics.uploads.name);
}
