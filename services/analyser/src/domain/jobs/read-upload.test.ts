import { createJobIds, createRootSecrets } from '@whetstone/identity';

import { anUpload, startOfTest } from '../../test-kit/index.js';
import { readJobReference, readUpload } from './read-upload.js';

const upload = anUpload({ at: startOfTest });
const turn = { turn: 1, inputs: 'a', decision: 'b' };

describe('readUpload', () => {
  it('takes an upload as the gateway writes it', () => {
    expect(readUpload(upload)).toBe(upload);
  });

  it.each([
    [
      'turns that are numbered beyond what is sensible',
      {
        turns: [
          { ...turn, turn: -3 },
          { ...turn, turn: 1e300 },
        ],
      },
    ],
    ['no turns', { turns: [] }],
    ['an empty query', { query: '' }],
    ['free metadata', { metadata: { nested: { deep: [1, null] } } }],
  ])('takes one with %s', (_, change) => {
    const changed = { ...upload, interaction: { ...upload.interaction, ...change } };

    expect(readUpload(changed)).toBe(changed);
  });

  it.each([undefined, null, 7, 'text', [], [upload], {}])('refuses %j', (value) => {
    expect(() => readUpload(value)).toThrow(/Not an accepted upload/);
  });

  it.each([
    ['jobId', 'job_1'],
    ['jobId', undefined],
    ['collectionId', '../etc'],
    ['keyId', null],
    ['acceptedAt', '2026-03-05'],
    ['acceptedAt', 1.5],
    ['acceptedAt', -1],
    ['bodyDigest', 12],
    ['trust', 'full'],
    ['trust', null],
    ['replayedAt', 'now'],
    ['interaction', null],
  ])('refuses one whose %s is %j, and says where', (field, value) => {
    expect(() => readUpload({ ...upload, [field]: value })).toThrow(field);
  });

  it.each([
    ['query', 7],
    ['turns', {}],
    ['turns', [turn, null]],
    ['turns', [{ ...turn, decision: undefined }]],
    ['turns', [{ ...turn, turn: 1.5 }]],
    ['turns', [{ ...turn, result: 7 }]],
    ['success', 'true'],
    ['agentType', 7],
    ['timestamp', 'today'],
    ['metadata', []],
  ])('refuses one whose interaction has %s %j, and says where', (field, value) => {
    const changed = { ...upload, interaction: { ...upload.interaction, [field]: value } };

    expect(() => readUpload(changed)).toThrow(`interaction.${field}`);
  });
});

describe('readJobReference', () => {
  it('finds the job of an upload that is otherwise wrong', () => {
    expect(readJobReference({ ...upload, interaction: 7 })).toEqual({ jobId: upload.jobId, acceptedAt: startOfTest });
  });

  it('takes the time from the id where the message does not say it', () => {
    expect(readJobReference({ jobId: upload.jobId })).toEqual({ jobId: upload.jobId, acceptedAt: startOfTest });
  });

  it('takes it from the log where the id names the end of its day only', () => {
    const jobIds = createJobIds(createRootSecrets('a root secret of sufficient length'));
    const idempotency = { key: 'k', bodyDigest: 'd' };
    const jobId = jobIds.issue({ account: 'acme', collectionId: 'c1' }, startOfTest, idempotency);

    expect(readJobReference({ jobId }, startOfTest + 5)).toEqual({ jobId, acceptedAt: startOfTest + 5 });
  });

  it.each([undefined, null, 'text', {}, { jobId: 'job_1' }, { jobId: 7 }])('finds none in %j', (value) => {
    expect(readJobReference(value)).toBeUndefined();
  });
});
