import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

import { AppError } from './app-error.js';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** AES-256-GCM with a random nonce: nonce, tag, ciphertext. Opens only with the same `context`, which is not stored. */
export function encrypt(key: Uint8Array, context: string, plain: Uint8Array): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(context));
  const body = cipher.update(plain);
  const rest = cipher.final();
  return Buffer.concat([nonce, cipher.getAuthTag(), body, rest]);
}

/** Throws AppError `invalid_argument` for what was not encrypted with this key and context. */
export function decrypt(key: Uint8Array, context: string, encrypted: Uint8Array): Buffer {
  try {
    const nonce = encrypted.subarray(0, nonceBytes);
    const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(context));
    decipher.setAuthTag(encrypted.subarray(nonceBytes, nonceBytes + tagBytes));
    const body = decipher.update(encrypted.subarray(nonceBytes + tagBytes));
    const rest = decipher.final();
    return rest.length === 0 ? body : Buffer.concat([body, rest]);
  } catch (cause) {
    throw new AppError('invalid_argument', 'The text was encrypted with another key, or is damaged', { cause });
  }
}
