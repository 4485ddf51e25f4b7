/**
 * The partition of a key: FNV-1a (32 bits) over the key's UTF-8 bytes, mixed once more by the finaliser of
 * MurmurHash3 so that the low bits depend on all of them, modulo the number of partitions. Part of the file format: what is
 * stored under one answer is not found under another.
 */
export function partitionOf(key: string, partitions: number): number {
  return stableHash(key) % partitions;
}

/** 32 bits, unsigned, the same in every process and version. */
export function stableHash(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
