import { randomBytes } from 'node:crypto';

import type { DataKeyCreated, DataKeyEvent, Micros } from '@whetstone/contracts';
import { decrypt, encrypt, isAppError } from '@whetstone/platform';

import { prefixOfCollection } from './collection-ids.js';
import { encodeBase32 } from './id-parts.js';
import { type RootSecrets, rootIdBytes } from './root-secrets.js';

/** A key that encrypts uploads of one collection. */
export interface DataKey {
  readonly id: string;
  /** 32 bytes, in a buffer of their own. */
  readonly bytes: Uint8Array;
}

/** In-memory view of the collections topic. Events may arrive in any order and repeatedly. */
export interface DataKeyRing {
  apply(event: DataKeyEvent): void;
  /** A key for new uploads: neither retired nor destroyed, and wrapped by the current root. */
  active(collectionId: string): DataKey | undefined;
  /** `undefined` if the key is unknown, or wrapped by an unknown root. */
  find(collectionId: string, dataKeyId: string): DataKey | 'destroyed' | undefined;
  /** The ids of all keys that are not destroyed. */
  living(collectionId: string): string[];
  /** How many collections of an account have or had a key. */
  collectionsOf(accountPrefix: string): number;
}

interface DataKeyRingOptions {
  /** Size of the cache of unwrapped keys. */
  rememberedKeys?: number;
}

const keyBytes = 32;

export function createDataKey(roots: RootSecrets, collectionId: string, createdAt: Micros): DataKeyCreated {
  const dataKeyId = encodeBase32(randomBytes(10));
  const { id, key } = roots.current;
  const wrapped = encrypt(key('data-key'), contextOf(collectionId, dataKeyId), randomBytes(keyBytes));
  const wrappedKey = Buffer.concat([id, wrapped]).toString('base64');
  return { type: 'created', collectionId, dataKeyId, wrappedKey, createdAt };
}

/**
 * Destroying replaces the creation under its key, so that compaction removes the wrapped key. A retirement has a key of
 * its own: one that comes late must neither replace the wrapped key nor the destruction.
 */
export function keyOfDataKeyEvent({ type, collectionId, dataKeyId }: DataKeyEvent): string {
  return type === 'retired' ? `${contextOf(collectionId, dataKeyId)}:retired` : contextOf(collectionId, dataKeyId);
}

export function createDataKeyRing(
  roots: RootSecrets,
  { rememberedKeys = 10_000 }: DataKeyRingOptions = {},
): DataKeyRing {
  const collections = new Map<string, Map<string, KeyState>>();
  const unwrapped = new Map<string, DataKey>();
  const perAccount = new Map<string, number>();

  function add(collectionId: string): Map<string, KeyState> {
    const keys = new Map<string, KeyState>();
    collections.set(collectionId, keys);
    const prefix = prefixOfCollection(collectionId);
    perAccount.set(prefix, (perAccount.get(prefix) ?? 0) + 1);
    return keys;
  }

  function open(collectionId: string, dataKeyId: string, { wrapped }: KeyState): DataKey | undefined {
    const known = unwrapped.get(dataKeyId);
    if (known || !wrapped) return known;
    const bytes = unwrap(roots, contextOf(collectionId, dataKeyId), wrapped);
    if (!bytes) return undefined;
    const [oldest] = unwrapped.size < rememberedKeys ? [] : unwrapped.keys();
    if (oldest !== undefined) unwrapped.delete(oldest);
    const opened = { id: dataKeyId, bytes };
    unwrapped.set(dataKeyId, opened);
    return opened;
  }

  return {
    apply(event) {
      const { collectionId, dataKeyId, type } = event;
      const keys = collections.get(collectionId) ?? add(collectionId);
      const { stage, wrapped }: KeyState = keys.get(dataKeyId) ?? { stage: 'created' };
      const reached = stages.indexOf(type) > stages.indexOf(stage) ? type : stage;
      const kept = type === 'created' ? Buffer.from(event.wrappedKey, 'base64') : wrapped;
      keys.set(dataKeyId, { stage: reached, ...(reached === 'destroyed' || !kept ? {} : { wrapped: kept }) });
      if (reached === 'destroyed') unwrapped.delete(dataKeyId);
    },
    active(collectionId) {
      for (const [dataKeyId, state] of collections.get(collectionId) ?? []) {
        if (state.stage !== 'created' || !state.wrapped || !isOf(roots.current.id, state.wrapped)) continue;
        const opened = open(collectionId, dataKeyId, state);
        if (opened) return opened;
      }
      return undefined;
    },
    find(collectionId, dataKeyId) {
      const state = collections.get(collectionId)?.get(dataKeyId);
      if (!state) return undefined;
      return state.stage === 'destroyed' ? 'destroyed' : open(collectionId, dataKeyId, state);
    },
    living: (collectionId) =>
      [...(collections.get(collectionId) ?? [])].flatMap(([id, { stage }]) => (stage === 'destroyed' ? [] : [id])),
    collectionsOf: (accountPrefix) => perAccount.get(accountPrefix) ?? 0,
  };
}

const stages = ['created', 'retired', 'destroyed'] as const;

interface KeyState {
  stage: (typeof stages)[number];
  wrapped?: Uint8Array;
}

/** `undefined` if no known root wrapped it for this key of this collection. */
function unwrap(roots: RootSecrets, context: string, wrapped: Uint8Array): Uint8Array | undefined {
  const root = roots.byId(wrapped.subarray(0, rootIdBytes));
  if (!root) return undefined;
  try {
    return new Uint8Array(decrypt(root.key('data-key'), context, wrapped.subarray(rootIdBytes)));
  } catch (error) {
    if (!isAppError(error, 'invalid_argument')) throw error;
    return undefined;
  }
}

function isOf(rootId: Buffer, wrapped: Uint8Array): boolean {
  return rootId.equals(wrapped.subarray(0, rootIdBytes));
}

function contextOf(collectionId: string, dataKeyId: string): string {
  return `${collectionId}:${dataKeyId}`;
}
