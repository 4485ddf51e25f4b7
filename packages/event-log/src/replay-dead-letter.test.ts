import type { AcceptedUpload } from '@whetstone/contracts';

import { replayDeadLetter } from './replay-dead-letter.js';

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
