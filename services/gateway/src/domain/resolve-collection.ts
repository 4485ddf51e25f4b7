import type { Scope, Trust } from '@whetstone/contracts';
import { defaultCollectionIdOf, hasKeyShape, type KeyRing, workflowCollectionIdOf } from '@whetstone/identity';
import { AppError } from '@whetstone/platform';

export interface Caller {
  keyId: string;
  account: string;
  /** Absent if normal. */
  trust?: Trust;
  scopes: readonly Scope[];
}

/** The name to keep of a collection. A key is never kept: the default collection needs no name. */
export function nameOfCollection(tenantId: string): string | undefined {
  return hasKeyShape(tenantId) ? undefined : tenantId;
}

/** The collection that a `tenant_id` names for a caller. Throws AppError `tenant_forbidden`. */
export type ResolveCollection = (caller: Caller, tenantId: string) => string;

/**
 * Any key of the account, revoked ones included, names its default collection; any other text names a workflow collection.
 * Text that looks like a key but is not the account's own is refused, so that a mistyped key never becomes a collection name.
 */
export function createResolveCollection(keys: Pick<KeyRing, 'ownsKey'>): ResolveCollection {
  return ({ account }, tenantId) => {
    if (!hasKeyShape(tenantId)) return workflowCollectionIdOf(account, tenantId);
    if (keys.ownsKey(account, tenantId)) return defaultCollectionIdOf(account);
    throw new AppError('tenant_forbidden', 'The tenant_id looks like an API key but is not a key of your account');
  };
}
