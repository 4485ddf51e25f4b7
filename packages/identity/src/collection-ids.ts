import { hash } from 'node:crypto';

const accountHashLetters = 16;
const tenantHashLetters = 32;

/** The collection that any key of the account names. */
export function defaultCollectionIdOf(account: string): string {
  return `${accountPrefixOf(account)}${letters(`default\0${account}`, tenantHashLetters)}`;
}

/** The workflow collection that a `tenant_id` names inside the account. */
export function workflowCollectionIdOf(account: string, tenantId: string): string {
  return `${accountPrefixOf(account)}${letters(`workflow\0${account}\0${tenantId}`, tenantHashLetters)}`;
}

/** Prefix of all collection ids of an account. */
export function accountPrefixOf(account: string): string {
  return `c${letters(`account\0${account}`, accountHashLetters)}_`;
}

/** The account's prefix of a collection id. */
export function prefixOfCollection(collectionId: string): string {
  return collectionId.slice(0, accountHashLetters + 2);
}

const known = new Map<string, string>();
const maxKnown = 1000;

/**
 * Not keyed by the root secret, because rotating that must not orphan knowledge. Remembers the latest hashes: each
 * line of a batch names its collection.
 */
function letters(text: string, count: number): string {
  const made = known.get(text) ?? hash('sha256', text, 'hex');
  if (known.size >= maxKnown) known.clear();
  known.set(text, made);
  return made.slice(0, count);
}
