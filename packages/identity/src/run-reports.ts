import type { EncryptedReport, RunReport } from '@whetstone/contracts';
import { decrypt, encrypt } from '@whetstone/platform/worker';

import type { DataKey } from './data-keys.js';

/** Opens only for its job, and never as an upload. */
const contextOf = (jobId: string) => `report:${jobId}`;

export function encryptReport(report: RunReport, jobId: string, { id, bytes }: DataKey): EncryptedReport {
  return { dataKeyId: id, data: encrypt(bytes, contextOf(jobId), JSON.stringify(report)).toString('base64') };
}

/** Throws AppError `invalid_argument` if the key or the job is another. */
export function decryptReport({ data }: EncryptedReport, jobId: string, key: Uint8Array): RunReport {
  return JSON.parse(decrypt(key, contextOf(jobId), Buffer.from(data, 'base64')).toString()) as RunReport;
}
