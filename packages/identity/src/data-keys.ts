import { randomBytes } from 'node:crypto';

import type { DataKeyCreated, DataKeyEvent, Micros } from '@whetstone/contracts';
import { decrypt, encrypt, isAppError } from '@whetstone/platform/worker';

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
  /** Whether the collection has or had a key. */
  knows(collectionId: string): boolean;
  /** Whether a key that is not destroyed came with the name of the collection. */
  isNamed(collectionId: string): boolean;
  /** The `tenant_id` of a collection; `undefined` if no key came with it, or its root is unknown. */
  nameOf(collectionId: string): string | undefined;
  /** How many collections of an account have or had a key. */
  collectionsOf(accountPrefix: string): number;
  /** The collections of an account with keys that are not destroyed, the oldest first. */
  list(accountPrefix: string, limit: number, after?: CollectionPlace): KnownCollection[];
}

/** The place of a collection in the list of its account. */
export interface CollectionPlace {
  createdAt: Micros;
  collectionId: string;
}

export interface KnownCollection extends CollectionPlace {
  /** The `tenant_id`; absent if no key came with it, or its root is unknown. */
  name?: string;
}

interface DataKeyRingOptions {
  /** Size of the cache of unwrapped keys. */
  rememberedKeys?: number;
}

const keyBytes = 32;

/** The name goes with its key: both are destroyed together. */
export function createDataKey(
  roots: RootSecrets,
  collectionId: string,
  createdAt: Micros,
  name?: string,
): DataKeyCreated {
  const dataKeyId = encodeBase32(randomBytes(10));
  const { id, key } = roots.current;
  const context = contextOf(collectionId, dataKeyId);
  const wrapped = encrypt(key('data-key'), context, randomBytes(keyBytes));
  const wrappedKey = Buffer.concat([id, wrapped]).toString('base64');
  const created: DataKeyCreated = { type: 'created', collectionId, dataKeyId, wrappedKey, createdAt };
  if (name === undefined) return created;
  return { ...created, sealedName: encrypt(key('collection-name'), context, name, id).toString('base64') };
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
  const perAccount = new Map<string, string[]>();
  /** By account, in order; kept until one of its keys changes. */
  const listed = new Map<string, CollectionPlace[]>();

  function add(collectionId: string): Map<string, KeyState> {
    const keys = new Map<string, KeyState>();
    collections.set(collectionId, keys);
    const prefix = prefixOfCollection(collectionId);
    const others = perAccount.get(prefix);
    if (others) others.push(collectionId);
    else perAccount.set(prefix, [collectionId]);
    return keys;
  }

  function placesOf(accountPrefix: string): CollectionPlace[] {
    const known = listed.get(accountPrefix);
    if (known) return known;
    const places = (perAccount.get(accountPrefix) ?? []).flatMap((collectionId) => {
      const times = livingIn(collectionId).map(([, { createdAt }]) => createdAt ?? Number.POSITIVE_INFINITY);
      const createdAt = Math.min(...times);
      return Number.isFinite(createdAt) ? [{ collectionId, createdAt }] : [];
    });
    places.sort(comparePlaces);
    listed.set(accountPrefix, places);
    return places;
  }

  function livingIn(collectionId: string): [string, KeyState][] {
    return [...(collections.get(collectionId) ?? [])].filter(([, { stage }]) => stage !== 'destroyed');
  }

  function nameOf(collectionId: string): string | undefined {
    for (const [dataKeyId, { sealedName }] of livingIn(collectionId)) {
      const context = contextOf(collectionId, dataKeyId);
      const name = sealedName && unwrap(roots, 'collection-name', context, sealedName);
      if (name) return Buffer.from(name).toString();
    }
    return undefined;
  }

  function open(collectionId: string, dataKeyId: string, { wrapped }: KeyState): DataKey | undefined {
    const known = unwrapped.get(dataKeyId);
    if (known || !wrapped) return known;
    const bytes = unwrap(roots, 'data-key', contextOf(collectionId, dataKeyId), wrapped);
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
      const { stage, ...before }: KeyState = keys.get(dataKeyId) ?? { stage: 'created' };
      const reached = stages.indexOf(type) > stages.indexOf(stage) ? type : stage;
      const kept = type === 'created' ? createdState(event) : before;
      keys.set(dataKeyId, { stage: reached, ...(reached === 'destroyed' ? {} : kept) });
      if (reached === 'destroyed') unwrapped.delete(dataKeyId);
      listed.delete(prefixOfCollection(collectionId));
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
    living: (collectionId) => livingIn(collectionId).map(([id]) => id),
    knows: (collectionId) => collections.has(collectionId),
    isNamed(collectionId) {
      for (const { stage, sealedName } of collections.get(collectionId)?.values() ?? []) {
        if (sealedName && stage !== 'destroyed') return true;
      }
      return false;
    },
    collectionsOf: (accountPrefix) => perAccount.get(accountPrefix)?.length ?? 0,
    nameOf,
    list(accountPrefix, limit, after) {
      const places = placesOf(accountPrefix);
      const start = after ? firstAfter(places, after) : 0;
      return places.slice(start, start + limit).map((place) => {
        const name = nameOf(place.collectionId);
        return { ...place, ...(name === undefined ? {} : { name }) };
      });
    },
  };
}

const stages = ['created', 'retired', 'destroyed'] as const;

interface KeyState {
  stage: (typeof stages)[number];
  wrapped?: Uint8Array;
  sealedName?: Uint8Array;
  createdAt?: Micros;
}

function createdState({ wrappedKey, sealedName, createdAt }: DataKeyCreated): Omit<KeyState, 'stage'> {
  return {
    wrapped: Buffer.from(wrappedKey, 'base64'),
    ...(sealedName === undefined ? {} : { sealedName: Buffer.from(sealedName, 'base64') }),
    createdAt,
  };
}

function comparePlaces(a: CollectionPlace, b: CollectionPlace): number {
  return a.createdAt - b.createdAt || (a.collectionId < b.collectionId ? -1 : Number(a.collectionId > b.collectionId));
}

/** By bisection. */
function firstAfter(places: readonly CollectionPlace[], after: CollectionPlace): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (comparePlaces(places[middle] as CollectionPlace, after) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** `undefined` if no known root wrapped it for this key of this collection. */
function unwrap(
  roots: RootSecrets,
  purpose: 'data-key' | 'collection-name',
  context: string,
  wrapped: Uint8Array,
): Uint8Array | undefined {
  const root = roots.byId(wrapped.subarray(0, rootIdBytes));
  if (!root) return undefined;
  try {
    return new Uint8Array(decrypt(root.key(purpose), context, wrapped.subarray(rootIdBytes)));
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
