import { randomBytes } from 'node:crypto';

import { type AcceptedUpload, maxEventBytes } from '@whetstone/contracts';

import { replayDeadLetter, toUploadLogEvent } from './events.js';
import { decodeMessage, encodeMessage } from './message-codec.js';
import {
  decodeUploadSync,
  decryptUpload,
  packInteraction,
  type SealedMessage,
  splitEncrypted,
  toEncryptedUpload,
} from './upload-codec.js';

const key = { id: 'key1', bytes: new Uint8Array(randomBytes(32)) };
const small: AcceptedUpload = {
  jobId: 'job_1',
  collectionId: 'c1_2',
  keyId: 'k1',
  acceptedAt: 1,
  bodyDigest: 'd',
  interaction: { query: 'Refund an order', turns: [] },
};
const large = { ...small, interaction: { query: 'Refund an order '.repeat(10_000), turns: [] } };

async function sealedOf(upload: AcceptedUpload): Promise<SealedMessage & { message: Uint8Array }> {
  const { value } = await toUploadLogEvent(upload, {}, key);
  return { ...(splitEncrypted(value) as SealedMessage), message: value };
}

describe('an encrypted upload', () => {
  it.each([
    ['small', small],
    ['large', large],
  ])('says everything but its text, and opens with its key: %s', async (_, upload) => {
    const { interaction, ...envelope } = upload;
    const sealed = await sealedOf(upload);

    expect(sealed).toMatchObject({
      envelope,
      dataKeyId: 'key1',
      unpackedBytes: Buffer.byteLength(JSON.stringify(interaction)),
    });
    expect(Buffer.from(sealed.message).includes('Refund')).toBe(false);
    expect(await decryptUpload(sealed, key.bytes)).toEqual(upload);
    expect(decodeUploadSync(sealed.message, key.bytes)).toEqual(upload);
  });

  it.each([
    ['small', small],
    ['large', large],
  ])('is the same if its interaction was packed already: %s', async (_, upload) => {
    const json = JSON.stringify(upload.interaction);
    const { value } = await toUploadLogEvent({ ...upload, interaction: packInteraction(json) }, {}, key);

    expect(decodeUploadSync(value, key.bytes)).toEqual(upload);
    expect(splitEncrypted(value)).toMatchObject({ unpackedBytes: json.length });
  });

  it('is compressed before it is encrypted', async () => {
    const { message } = await sealedOf(large);

    expect(message.length).toBeLessThan(10_000);
  });

  it('does not open with another key, or as the upload of another job', async () => {
    const sealed = await sealedOf(small);
    const ofAnother = { ...sealed, envelope: { ...sealed.envelope, jobId: 'job_2' } };

    await expect(decryptUpload(sealed, randomBytes(32))).rejects.toMatchObject({ code: 'invalid_argument' });
    await expect(decryptUpload(ofAnother, key.bytes)).rejects.toMatchObject({ code: 'invalid_argument' });
    expect(() => decodeUploadSync(sealed.message, randomBytes(32))).toThrow(/another key/);
  });

  it('goes into a dead letter as it is, and from there back to the log', async () => {
    const sealed = await sealedOf(large);
    const letter = await encodeMessage({ upload: toEncryptedUpload(sealed) }, { gzip: true });
    const { upload } = await decodeMessage<{ upload: ReturnType<typeof toEncryptedUpload> }>(letter);

    expect(JSON.stringify(upload)).not.toContain('Refund');
    const { value } = await toUploadLogEvent(replayDeadLetter({ upload }, 2));
    expect(decodeUploadSync(value, key.bytes)).toEqual({ ...large, replayedAt: 2 });
  });

  it('fits into the log at the size of the largest body, also as a dead letter', async () => {
    const incompressible = randomBytes(5 * 1024 * 1024).toString('base64');
    const sealed = await sealedOf({ ...small, interaction: { query: incompressible, turns: [] } });
    const letter = await encodeMessage({ upload: toEncryptedUpload(sealed) }, { gzip: true });

    expect(Math.max(sealed.message.length, letter.length)).toBeLessThan(maxEventBytes);
  });

  it('that was cut off or has no key is refused without quoting it', async () => {
    const { message } = await sealedOf(small);
    const noKey = Buffer.concat([Buffer.from([0, 1, 0, 0, 0, 2]), Buffer.from('{}')]);
    const cut = [message.subarray(0, 3), message.subarray(0, 20), noKey];

    for (const bytes of cut) expect(() => splitEncrypted(bytes)).toThrow('Log value is not a readable message');
  });
});

describe('an upload of an earlier version', () => {
  it.each([
    ['small', small],
    ['large', large],
  ])('is not encrypted and still read: %s', async (_, upload) => {
    const { value } = await toUploadLogEvent(upload);

    expect(splitEncrypted(value)).toBeUndefined();
    expect(decodeUploadSync(value)).toEqual(upload);
  });

  it('is the same if its interaction was packed already', async () => {
    const { value } = await toUploadLogEvent({
      ...large,
      interaction: packInteraction(JSON.stringify(large.interaction)),
    });

    expect(decodeUploadSync(value)).toEqual(large);
  });
});
