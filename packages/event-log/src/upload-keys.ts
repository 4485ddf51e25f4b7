import { stableHash } from './partition-of.js';

const lanesPerCollection = 4;

/** Key of an upload or a dead letter: one busy collection uses four partitions, and not all. */
export function uploadKeyOf(collectionId: string, jobId: string): string {
  return `${collectionId}:${stableHash(jobId) % lanesPerCollection}`;
}

/** The collection that an upload's key names; known without reading the upload. */
export function collectionOfUploadKey(key: string): string {
  return key.slice(0, key.lastIndexOf(':'));
}
