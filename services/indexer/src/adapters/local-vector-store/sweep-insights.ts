import type { DatabaseSyncInstance } from '@photostructure/sqlite';

import type { IndexEntry } from './collection-index.js';
import { floatsOf, numbersOf } from './packed-rows.js';
import { seqOf } from './row-reader.js';
import { termsHeader } from './word-index.js';

const batchRows = 1_024;

interface BatchRecord {
  last: number | null;
  numbers: string;
  keys: string;
  vectors: Uint8Array;
  terms: Uint8Array;
}

/** The insights of a collection with number `from` or above, ascending. */
export type SweepInsights = (collectionNo: number, from: number) => Generator<IndexEntry>;

/**
 * Reads whole collections. SQLite concatenates the values of a thousand rows: passing them to JavaScript at once takes
 * a fraction of the time of passing them one by one.
 */
export function createSweepInsights(db: DatabaseSyncInstance, dimension: number): SweepInsights {
  const batch = db.prepare(
    `SELECT max(seq) AS last, group_concat(seq & 4294967295, ' ') AS numbers, group_concat(key, char(10)) AS keys,
       CAST(group_concat(vector, '') AS BLOB) AS vectors, CAST(group_concat(terms, '') AS BLOB) AS terms
     FROM (
       SELECT seq, key, vector, terms FROM rows
       WHERE seq >= ? AND seq < ? AND type = 'insight' ORDER BY seq LIMIT ${batchRows}
     )`,
  );

  return function* sweepInsights(collectionNo, from) {
    for (let next = seqOf(collectionNo, from); ; ) {
      const record = batch.get(next, seqOf(collectionNo + 1, 0)) as unknown as BatchRecord;
      if (record.last === null) return;
      yield* entriesOf(record, dimension);
      next = record.last + 1;
    }
  };
}

function* entriesOf({ numbers, keys, vectors, terms }: BatchRecord, dimension: number): Generator<IndexEntry> {
  const allKeys = keys.split('\n');
  const allVectors = floatsOf(vectors);
  const allTerms = numbersOf(terms);
  let termsAt = 0;
  for (const [index, n] of numbers.split(' ').entries()) {
    const termsEnd = termsAt + termsHeader + 2 * (allTerms[termsAt] as number);
    yield {
      n: Number(n),
      key: allKeys[index] as string,
      vector: allVectors.subarray(index * dimension, (index + 1) * dimension),
      terms: allTerms.subarray(termsAt, termsEnd),
    };
    termsAt = termsEnd;
  }
}
