import { randomBytes } from 'node:crypto';
import type { Micros } from '@whetstone/contracts';
import type { Clock } from '@whetstone/platform';
import { createRandomParts, decodeBase32, encodeBase32 } from './id-parts.js';
import { equalMacs, type RootSecrets, rootIdBytes } from './root-secrets.js';

export interface Idempotency {
  key: string;
  /** SHA-256 of the raw body. */
  bodyDigest: string;
}

interface JobOwner {
  account: string;
  collectionId: string;
}

export interface JobIds {
  issue(owner: JobOwner, acceptedAt: Micros, idempotency?: Idempotency): string;
  /** Whether this installation issued the id to this account. */
  verify(jobId: string, account: string): boolean;
}

interface JobIdParts {
  /** When the job was accepted; with an idempotency key, the end of that UTC day. */
  time: Micros;
  idempotent: boolean;
}

const dayMicros = 24 * 60 * 60 * 1_000_000;
const prefix = 'job_';
const timeBytes = 8;
const uniqueBytes = 10;
const macBytes = 12;
const bodyBytes = timeBytes + 1 + rootIdBytes + uniqueBytes;
const idPattern = /^job_[0-9a-hjkmnp-tv-z]{56}$/;

/**
 * A job id can be verified without a record: time (big-endian, so ids sort by it), a flag, the root's id, a unique part, and a
 * MAC over all of that and the account. With an idempotency key the unique part is a MAC of what makes two uploads equal, so
 * that a retry gets the same id.
 */
export function createJobIds(roots: RootSecrets): JobIds {
  const unique = createRandomParts(uniqueBytes);
  return {
    issue({ account, collectionId }, acceptedAt, idempotency) {
      const root = roots.current;
      const time = idempotency ? endOfDay(acceptedAt) : acceptedAt;
      const uniquePart = idempotency
        ? root
            .mac('idempotency', account, collectionId, idempotency.key, idempotency.bodyDigest)
            .subarray(0, uniqueBytes)
        : unique();
      const id = Buffer.allocUnsafe(bodyBytes + macBytes);
      id.writeBigUInt64BE(BigInt(time));
      id[timeBytes] = idempotency ? 1 : 0;
      id.set(root.id, timeBytes + 1);
      id.set(uniquePart, bodyBytes - uniqueBytes);
      id.set(root.mac('job-id', id.subarray(0, bodyBytes), account).subarray(0, macBytes), bodyBytes);
      return prefix + encodeBase32(id);
    },
    verify(jobId, account) {
      const bytes = decode(jobId);
      if (!bytes) return false;
      const body = bytes.subarray(0, bodyBytes);
      const root = roots.byId(body.subarray(timeBytes + 1, timeBytes + 1 + rootIdBytes));
      if (!root) return false;
      return equalMacs(bytes.subarray(bodyBytes), root.mac('job-id', body, account).subarray(0, macBytes));
    },
  };
}

/** Reads an id without verifying it; `undefined` if it is malformed. */
export function readJobId(jobId: string): JobIdParts | undefined {
  const bytes = decode(jobId);
  if (!bytes) return undefined;
  const time = Number(Buffer.from(bytes).readBigUInt64BE(0));
  return Number.isSafeInteger(time) ? { time, idempotent: bytes[timeBytes] === 1 } : undefined;
}

/**
 * Names one attempt at a job; unique, and ordered by time as a string. Always greater than `after`, an earlier attempt, even if
 * that was made by a clock ahead of this one.
 */
export function newAttempt(clock: Clock, after?: string): string {
  const time = Math.max(clock.now(), after === undefined ? 0 : Number.parseInt(after, 10) + 1);
  return `${time.toString().padStart(17, '0')}-${randomBytes(4).toString('hex')}`;
}

function decode(jobId: string): Uint8Array | undefined {
  return idPattern.test(jobId) ? decodeBase32(jobId.slice(prefix.length)) : undefined;
}

function endOfDay(time: Micros): Micros {
  return (Math.floor(time / dayMicros) + 1) * dayMicros - 1;
}
