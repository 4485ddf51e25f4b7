import type { Trust } from '@whetstone/contracts';
import { defaultCollectionIdOf, hasKeyShape, type KeyRing, workflowCollectionIdOf } from '@whetstone/identity';
import { AppError } from '@whetstone/platform';

/** Who is calling: known by a key, owner by account. */
export interface Caller {
  keyId: string;
  account: string;
  /** Of the key; absent where it is normal. */
  trust?: Trust;
}

/** The collection that a `tenant_id` names for a caller. Throws AppError `tenant_forbidden`. */
export type ResolveCollection = (caller: Caller, tenantId: string) => string;

/**
 * Any key of the account, old ones too, names its default collection; any other text names a workflow collection inside it.
 * What looks like a key and is not the account's own is refused, so that a mistyped key never becomes a workflow's name.
 */
export function createResolveCollection(keys: Pick<KeyRing, 'ownsKey'>): ResolveCollection {
  return ({ account }, tenantId) => {
    if (!hasKeyShape(tenantId)) return workflowCollectionIdOf(account, tenantId);
    if (keys.ownsKey(account, tenantId)) return defaultCollectionIdOf(account);
    throw new AppError('tenant_forbidden', 'The tenant_id is a key that does not belong to the account of the caller');
  };
}
