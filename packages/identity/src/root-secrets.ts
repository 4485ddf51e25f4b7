import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

import { AppError } from '@whetstone/platform/worker';

type Purpose =
  | 'api-key-pepper'
  | 'job-id'
  | 'idempotency'
  | 'seal'
  | 'seal-nonce'
  | 'enhancement-token'
  | 'call-token'
  | 'data-key'
  | 'collection-name'
  | 'session';

interface RootSecret {
  /** Four bytes, not secret. Stored with everything derived from the root, so that it still verifies after a rotation. */
  readonly id: Buffer;
  key(purpose: Purpose): Buffer;
  mac(purpose: Purpose, ...parts: (string | Uint8Array)[]): Buffer;
}

export interface RootSecrets {
  /** Used for everything new. */
  readonly current: RootSecret;
  /** The current root or a previous one. */
  byId(id: Uint8Array): RootSecret | undefined;
}

export const rootIdBytes = 4;
const shortestRootSecret = 32;

/** The current root, and previous ones that still verify what was derived from them. */
export function createRootSecrets(current: string, previous: readonly string[] = []): RootSecrets {
  const roots = [current, ...previous].map(createRootSecret);
  const [first] = roots;
  if (!first) throw new AppError('invalid_argument', 'A root secret is required');
  return {
    current: first,
    byId: (id) => roots.find((root) => root.id.equals(id)),
  };
}

export function equalMacs(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

function createRootSecret(secret: string): RootSecret {
  if (secret.length < shortestRootSecret) {
    throw new AppError('invalid_argument', `A root secret needs at least ${shortestRootSecret} characters`);
  }
  const derive = (info: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, '', `whetstone/${info}`, bytes));
  const keys = new Map<Purpose, Buffer>();

  function key(purpose: Purpose): Buffer {
    const known = keys.get(purpose);
    if (known) return known;
    const made = derive(purpose, 32);
    keys.set(purpose, made);
    return made;
  }

  return {
    id: derive('root-id', rootIdBytes),
    key,
    mac(purpose, ...parts) {
      return createHmac('sha256', key(purpose)).update(framed(parts)).digest();
    },
  };
}

const lengthBytes = 4;

/** Length-prefixed, so that ('ab', 'c') and ('a', 'bc') differ. */
function framed(parts: (string | Uint8Array)[]): Buffer {
  const frame = Buffer.allocUnsafe(parts.reduce((sum, part) => sum + lengthBytes + Buffer.byteLength(part), 0));
  let end = 0;
  for (const part of parts) {
    const start = end + lengthBytes;
    if (typeof part === 'string') end = start + frame.write(part, start);
    else {
      frame.set(part, start);
      end = start + part.length;
    }
    frame.writeUInt32BE(end - start, start - lengthBytes);
  }
  return frame;
}
