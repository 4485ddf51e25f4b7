import { type AcceptedUpload, type EncryptedUpload, type Micros, trustLevels } from '@whetstone/contracts';
import { readJobId } from '@whetstone/identity';
import { AppError, isAppError } from '@whetstone/platform';

import type { JobReference, NoUpload, Outline, PackedRun, UploadInHand, UploadOutline } from '../ports.js';
import { isObject, misshapenAt } from './outline-message.js';

type Fields = Record<string, unknown>;

/**
 * Checks a message of the uploads topic. The gateway has validated the caller's input; this
 * guards against other writers: another version, a stray producer, damaged bytes.
 * Throws AppError `invalid_argument`, which names the place and never quotes its content.
 */
export function readUpload(value: unknown): AcceptedUpload {
  const { interaction } = checkOutside(value);
  const place = misshapenAt(interaction);
  if (place !== undefined) throw wrongAt(place);
  return value as AcceptedUpload;
}

/** The same for a message that a thread has read. */
function readOutline({ value, misshapenAt: place }: Outline): UploadOutline {
  checkOutside(value);
  if (place !== undefined) throw wrongAt(place);
  return value as UploadOutline;
}

function checkOutside(value: unknown): Fields {
  if (!isObject(value)) throw wrongAt('the message');
  const fields: Fields = value;
  expectThat(typeof fields['jobId'] === 'string' && readJobId(fields['jobId']) !== undefined, 'jobId');
  expectThat(
    typeof fields['collectionId'] === 'string' && /^[a-z0-9_]{1,255}$/.test(fields['collectionId']),
    'collectionId',
  );
  expectThat(typeof fields['keyId'] === 'string', 'keyId');
  const { trust } = fields;
  expectThat(trust === undefined || trustLevels.some((level) => level === trust), 'trust');
  expectThat(typeof fields['bodyDigest'] === 'string', 'bodyDigest');
  expectThat(isMicros(fields['acceptedAt']), 'acceptedAt');
  expectThat(fields['replayedAt'] === undefined || isMicros(fields['replayedAt']), 'replayedAt');
  return fields;
}

/**
 * The job of a message, if at least that can be read. If the message does not say when it was accepted, its
 * id does, or the log, which took it a moment later: the id of a job with an idempotency key names the end of its day.
 */
export function readJobReference(value: unknown, appendedAt = Number.POSITIVE_INFINITY): JobReference | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { jobId, acceptedAt } = value as Fields;
  const parts = typeof jobId === 'string' ? readJobId(jobId) : undefined;
  if (typeof jobId !== 'string' || !parts) return undefined;
  return { jobId, acceptedAt: isMicros(acceptedAt) ? acceptedAt : Math.min(parts.time, appendedAt) };
}

function expectThat(holds: boolean, place: string): void {
  if (!holds) throw wrongAt(place);
}

function wrongAt(place: string): AppError {
  return new AppError('invalid_argument', `Not an accepted upload: ${place} is missing or has a wrong shape`);
}

function isMicros(value: unknown): value is Micros {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

/** The upload of a message that was decoded here. */
export function takeInHand(value: unknown, appendedAt: Micros, whole?: UploadInHand['whole']): UploadInHand | NoUpload {
  return orNoUpload(value, appendedAt, () => {
    const upload = readUpload(value);
    return { ...upload, run: upload.interaction, whole: whole ?? (() => Promise.resolve(upload)) };
  });
}

/** The upload of an encrypted message that is not opened. */
export function takeSealedInHand(
  envelope: unknown,
  appendedAt: Micros,
  whole: () => EncryptedUpload,
): UploadInHand | NoUpload {
  return orNoUpload(envelope, appendedAt, () => {
    const checked = checkOutside(envelope) as unknown as EncryptedUpload;
    return { ...checked, interaction: {}, whole: () => Promise.resolve(whole()) };
  });
}

/** The upload of a message that stays compressed, from its outline. */
export function takePackedInHand(
  outline: Outline,
  run: PackedRun,
  appendedAt: Micros,
  whole: UploadInHand['whole'],
): UploadInHand | NoUpload {
  if (outline.undecodable !== undefined) return { problem: outline.undecodable };
  return orNoUpload(outline.value, appendedAt, () => ({ ...readOutline(outline), run, whole }));
}

function orNoUpload(value: unknown, appendedAt: Micros, read: () => UploadInHand): UploadInHand | NoUpload {
  try {
    return read();
  } catch (error) {
    if (!isAppError(error, 'invalid_argument')) throw error;
    return { problem: error.message, job: readJobReference(value, appendedAt) };
  }
}
