import type { AcceptedUpload } from '@whetstone/contracts';

import { encodeMessage } from './message-codec.js';
import type { LogEvent, NewEvent } from './ports.js';
import { uploadKeyOf } from './upload-keys.js';

const jobIdHeader = 'job-id';

/** An accepted upload as it goes into the uploads topic. Names its job in a header too, to be known without unpacking. */
export async function toUploadLogEvent(
  upload: AcceptedUpload,
  headers: Record<string, string> = {},
): Promise<NewEvent> {
  const { collectionId, jobId } = upload;
  return {
    key: uploadKeyOf(collectionId, jobId),
    value: await encodeMessage(upload, { gzip: true }),
    headers: { ...headers, [jobIdHeader]: jobId },
  };
}

/** The job of an upload in the log; two uploads of one job are not to be worked on at the same time. */
export function jobIdOfUploadEvent({ headers }: Pick<LogEvent, 'headers'>): string | undefined {
  return headers[jobIdHeader];
}
