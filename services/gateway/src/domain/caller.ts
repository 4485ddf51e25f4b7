import type { Trust } from '@whetstone/contracts';

/** Who is calling: known by a key, owner by account. */
export interface Caller {
  keyId: string;
  account: string;
  /** Of the key; absent where it is normal. */
  trust?: Trust;
}
