import type { AcceptedUpload } from '@whetstone/contracts';

import { decodeMessage } from './message-codec.js';
import { jobIdOfUploadEvent, toUploadLogEvent } from './upload-events.js';
import { collectionOfUploadKey } from './upload-keys.js';

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
