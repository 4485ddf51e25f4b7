import { hash } from 'node:crypto';

/** What makes the vectors. */
export interface ModelName {
  name: string;
  dimension: number;
}

/** The Milvus collections that hold the knowledge of one embedding model. */
export interface ShardSet {
  model: ModelName;
  /** How many shards it is spread over. */
  shards: number;
}

const pattern = /^whetstone_(?<model>(?:[A-Za-z0-9]|_[0-9a-f]{2})+)__(?<dimension>\d+)__(?<shard>\d+)of(?<shards>\d+)$/;

/**
 * The model is part of the name, so that vectors of two models never meet; so is how many shards there are, because that
 * decides where a collection lies.
 */
export function shardName({ model, shards }: ShardSet, shard: number): string {
  return `${prefixOf(model)}__${shard}of${shards}`;
}

/** Where the deletion markers of all collections are: their vectors are of one model, too. */
export function markersName({ model }: ShardSet): string {
  return `${prefixOf(model)}__markers`;
}

/** The set that a Milvus collection belongs to; undefined where it is not a shard of ours. */
export function shardSetOf(name: string): ShardSet | undefined {
  const parts = pattern.exec(name)?.groups;
  if (!parts) return undefined;
  const { model = '', dimension, shards } = parts;
  return { model: { name: decode(model), dimension: Number(dimension) }, shards: Number(shards) };
}

/** Computed, not stored: two indexers can never disagree. */
export function shardOf(collectionId: string, shards: number): number {
  return hash('sha256', collectionId, 'buffer').readUInt32BE() % shards;
}

function prefixOf({ name, dimension }: ModelName): string {
  return `whetstone_${encode(name)}__${dimension}`;
}

/** Milvus takes letters, digits and underscores: everything else is written as the numbers of its bytes. */
function encode(name: string): string {
  return [...Buffer.from(name)]
    .map((byte) => (/[A-Za-z0-9]/.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : `_${hex(byte)}`))
    .join('');
}

function decode(encoded: string): string {
  const bytes = [...encoded.matchAll(/_([0-9a-f]{2})|(.)/g)].map(([, code, letter]) =>
    code === undefined ? (letter as string).charCodeAt(0) : Number.parseInt(code, 16),
  );
  return Buffer.from(bytes).toString();
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}
