import type { Micros, Scope, Trust } from '@whetstone/contracts';
import { defaultCollectionIdOf, hasKeyShape, type KeyRing, workflowCollectionIdOf } from '@whetstone/identity';
import { AppError } from '@whetstone/platform';

export interface Caller {
  keyId: string;
  account: string;
  /** Absent if normal. */
  trust?: Trust;
  scopes: readonly Scope[];
  /** Present if the caller signed in to the console. */
  session?: { expiresAt: Micros };
}

/** The name to keep of a collection. A key is never kept: the default collection needs no name. */
export function nameOfCollection(tenantId: string): string | undefined {
  return hasKeyShape(tenantId) ? undefined : tenantId;
}

/** The collection that a `tenant_id` names for a caller. Throws AppError `tenant_forbidden`. */
export type ResolveCollection = (caller: Caller, tenantId: string) => string;

/** Looks like a key, so that no collection can have it as its name. */
const defaultOfSession = 'wst_default';

/**
 * Any key of the account, revoked ones included, names its default collection; any other text names a workflow collection.
 * Text that looks like a key but is not the account's own is refused, so that a mistyped key never becomes a collection name.
 * A session has no key to send, so it has a name for the default collection instead.
 */
export function createResolveCollection(keys: Pick<KeyRing, 'ownsKey'>): ResolveCollection {
  return ({ account, session }, tenantId) => {
    if (!hasKeyShape(tenantId)) return workflowCollectionIdOf(account, tenantId);
    if (session && tenantId === defaultOfSession) return defaultCollectionIdOf(account);
    if (keys.ownsKey(account, tenantId)) return defaultCollectionIdOf(account);
    throw new AppError('tenant_forbidden', 'The tenant_id looks like an API key but is not a key of your account');
  };
}
