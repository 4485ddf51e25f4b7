import type { AcceptedUpload, EncryptedUpload, UploadToAppend } from '@whetstone/contracts';
import { AppError, decrypt, encrypt } from '@whetstone/platform/worker';

import {
  decodeJson,
  decodeMessage,
  decodeMessageSync,
  encodeJson,
  encodeJsonSync,
  encodeMessage,
  unpackedBytes,
  worthPackingBytes,
} from './message-codec.js';

/** A key of the upload's collection. */
export interface UploadKey {
  readonly id: string;
  readonly bytes: Uint8Array;
}

/** An encrypted message, split but not opened. */
export interface SealedMessage {
  /** Everything but the interaction, as untrusted as the message. */
  readonly envelope: Record<string, unknown>;
  readonly dataKeyId: string;
  readonly unpackedBytes: number;
  /** Nonce, tag and ciphertext, as a view of the message. */
  readonly data: Uint8Array;
}

/** Neither JSON nor gzip begins like this. The second byte is the version. */
const mark = Buffer.from([0x00, 0x01]);
const lengthBytes = 4;
const headerStart = mark.length + lengthBytes;

/** Packs the JSON of an interaction, in a worker thread, into memory of its own that can be transferred. */
export function packInteraction(json: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(encodeJsonSync(Buffer.from(json), { gzip: true }));
}

/**
 * A message of the uploads topic: a mark, the length of the envelope, the envelope as JSON, then the interaction,
 * compressed if that is worth it and encrypted for its job.
 */
export async function encryptUpload(upload: UploadToAppend, { id, bytes }: UploadKey): Promise<Uint8Array> {
  const { interaction, jobId, collectionId, keyId, trust, acceptedAt, bodyDigest, replayedAt } = upload;
  const json = interaction instanceof Uint8Array ? interaction : JSON.stringify(interaction);
  const size = typeof json === 'string' ? Buffer.byteLength(json) : unpackedBytes(json);
  const isPacked = typeof json !== 'string' || size < worthPackingBytes;
  const packed = isPacked ? json : await encodeJson(Buffer.from(json), { gzip: true });
  // Field by field, which takes half the time of copying the rest.
  const envelope: Record<Exclude<keyof UploadToAppend, 'interaction'>, unknown> & SealedWith = {
    jobId,
    collectionId,
    keyId,
    trust,
    acceptedAt,
    bodyDigest,
    replayedAt,
    dataKeyId: id,
    unpackedBytes: size,
  };
  return encrypt(bytes, jobId, packed, headerOf(envelope));
}

type SealedWith = Pick<SealedMessage, 'dataKeyId' | 'unpackedBytes'>;

/** The message that an encrypted upload was. */
export function encodeEncrypted({ encrypted, ...envelope }: EncryptedUpload): Uint8Array {
  const { data, ...about } = encrypted;
  return Buffer.concat([headerOf({ ...envelope, ...about }), Buffer.from(data, 'base64')]);
}

/** An upload as earlier versions wrote it. */
export async function encodePlain(upload: UploadToAppend): Promise<Uint8Array> {
  const { interaction, ...rest } = upload;
  if (!(interaction instanceof Uint8Array)) return encodeMessage(upload, { gzip: true });
  const start = `${JSON.stringify(rest).slice(0, -1)},"interaction":`;
  const json = await decodeJson(interaction);
  return encodeJson(Buffer.concat([Buffer.from(start), json, Buffer.from('}')]), { gzip: true });
}

/** `undefined` if the message is not encrypted. Throws AppError `invalid_argument` if it cannot be split. */
export function splitEncrypted(message: Uint8Array): SealedMessage | undefined {
  if (!isEncrypted(message)) return undefined;
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  const headerEnd = bytes.length < headerStart ? Number.NaN : headerStart + bytes.readUInt32BE(mark.length);
  if (!(headerEnd <= bytes.length)) throw unreadable();
  const header = decodeMessageSync<Record<string, unknown> | null>(bytes.subarray(headerStart, headerEnd));
  const { dataKeyId, unpackedBytes: size, ...envelope } = header ?? {};
  if (typeof dataKeyId !== 'string' || !Number.isSafeInteger(size)) throw unreadable();
  return { envelope, dataKeyId, unpackedBytes: size as number, data: bytes.subarray(headerEnd) };
}

export function isEncrypted(message: Uint8Array): boolean {
  return message[0] === mark[0] && message[1] === mark[1];
}

/** The upload as it is, for a dead letter. */
export function toEncryptedUpload({ envelope, data, ...about }: SealedMessage): EncryptedUpload {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const { dataKeyId, unpackedBytes: size } = about;
  const encrypted = { dataKeyId, unpackedBytes: size, data: bytes.toString('base64') };
  return { ...(envelope as unknown as Omit<AcceptedUpload, 'interaction'>), encrypted };
}

/** Opens an encrypted message. Rejects like `decodeMessage`, also if the key or the job is another. */
export async function decryptUpload(sealed: SealedMessage, key: Uint8Array): Promise<unknown> {
  return { ...sealed.envelope, interaction: await decodeMessage(open(sealed, key)) };
}

/** Decodes a message in a worker thread. `key` opens an encrypted one. Throws like `decodeMessage`. */
export function decodeUploadSync(message: Uint8Array, key?: Uint8Array): unknown {
  const sealed = key && splitEncrypted(message);
  if (!sealed) return decodeMessageSync(message);
  return { ...sealed.envelope, interaction: decodeMessageSync(open(sealed, key)) };
}

function open({ envelope, data }: SealedMessage, key: Uint8Array): Buffer {
  return decrypt(key, String(envelope['jobId']), data);
}

function headerOf(header: object): Buffer {
  const json = JSON.stringify(header);
  const size = Buffer.byteLength(json);
  const bytes = Buffer.allocUnsafe(headerStart + size);
  bytes.set(mark);
  bytes.writeUInt32BE(size, mark.length);
  bytes.write(json, headerStart);
  return bytes;
}

function unreadable(): AppError {
  return new AppError('invalid_argument', 'Log value is not a readable message');
}
