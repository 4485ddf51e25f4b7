/** Who is calling: known by a key, owner by account. */
export interface Caller {
  keyId: string;
  account: string;
}
