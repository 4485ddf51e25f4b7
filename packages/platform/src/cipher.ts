import { createCipheriv, createDecipheriv, randomFillSync } from 'node:crypto';

import { AppError } from './app-error.js';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
const nothing = new Uint8Array();

/** Random bytes are fetched in bulk, because one fetch costs as much as encrypting. */
const nonces = Buffer.alloc(nonceBytes * 256);
let usedNonces = nonces.length;

/**
 * AES-256-GCM with a random nonce: nonce, tag, ciphertext, all of it after `prefix`. Opens only with the same `context`,
 * which is not stored.
 */
export function encrypt(
  key: Uint8Array,
  context: string,
  plain: Uint8Array | string,
  prefix: Uint8Array = nothing,
): Buffer {
  const nonce = nextNonce();
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(context));
  const body = typeof plain === 'string' ? cipher.update(plain, 'utf8') : cipher.update(plain);
  // A stream cipher: nothing is left.
  cipher.final();
  const start = prefix.length + nonceBytes + tagBytes;
  const encrypted = Buffer.allocUnsafe(start + body.length);
  encrypted.set(prefix);
  encrypted.set(nonce, prefix.length);
  encrypted.set(cipher.getAuthTag(), prefix.length + nonceBytes);
  encrypted.set(body, start);
  return encrypted;
}

function nextNonce(): Uint8Array {
  if (usedNonces === nonces.length) {
    randomFillSync(nonces);
    usedNonces = 0;
  }
  usedNonces += nonceBytes;
  return nonces.subarray(usedNonces - nonceBytes, usedNonces);
}

/** Throws AppError `invalid_argument` for what was not encrypted with this key and context. */
export function decrypt(key: Uint8Array, context: string, encrypted: Uint8Array): Buffer {
  try {
    const nonce = encrypted.subarray(0, nonceBytes);
    const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(context));
    decipher.setAuthTag(encrypted.subarray(nonceBytes, nonceBytes + tagBytes));
    const body = decipher.update(encrypted.subarray(nonceBytes + tagBytes));
    decipher.final();
    return body;
  } catch (cause) {
    throw new AppError('invalid_argument', 'The text was encrypted with another key, or is damaged', { cause });
  }
}
