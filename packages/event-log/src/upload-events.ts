import type { AcceptedUpload } from '@whetstone/contracts';

import { encodeMessage } from './message-codec.js';
import type { NewEvent } from './ports.js';
import { uploadKeyOf } from './upload-keys.js';

/** An accepted upload as it goes into the uploads topic. */
export async function toUploadLogEvent(
  upload: AcceptedUpload,
  headers: Record<string, string> = {},
): Promise<NewEvent> {
  const { collectionId, jobId } = upload;
  return { key: uploadKeyOf(collectionId, jobId), value: await encodeMessage(upload, { gzip: true }), headers };
}
