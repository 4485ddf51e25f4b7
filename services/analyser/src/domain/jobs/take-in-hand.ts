import type { AcceptedUpload, Micros } from '@whetstone/contracts';
import { isAppError } from '@whetstone/platform';

import type { NoUpload, Outline, PackedRun, UploadInHand } from '../ports.js';
import { readJobReference, readOutline, readUpload } from './read-upload.js';

/** An upload from a message that was decoded here. */
export function takeInHand(value: unknown, appendedAt: Micros): UploadInHand | NoUpload {
  return orNoUpload(value, appendedAt, () => {
    const upload = readUpload(value);
    return { ...upload, run: upload.interaction, whole: () => Promise.resolve(upload) };
  });
}

/** An upload from the outline of a message that stays packed. */
export function takePackedInHand(
  outline: Outline,
  run: PackedRun,
  appendedAt: Micros,
  whole: () => Promise<AcceptedUpload>,
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
