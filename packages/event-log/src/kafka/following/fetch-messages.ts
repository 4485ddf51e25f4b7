import { ByteReader } from './byte-reader.js';

export interface FetchRequest {
  correlationId: number;
  version: number;
  /** From which offset on, by partition. */
  asked: ReadonlyMap<number, number>;
}

/** A stretch of a partition in which there is no event, as a broker says. */
export interface EmptyStretch {
  partition: number;
  /** What was asked for. */
  from: number;
  /** The first offset behind it. */
  until: number;
  /** There are batches in it of which compaction has left the headers alone. */
  hasHeaders: boolean;
}

const fetchKey = 1;
/** The versions whose layout is known; kafkajs has no later one. */
const versions = { first: 4, last: 11 };
/** Up to and with the number of its records. */
const batchHeaderBytes = 61;
/** Offset and length, which the length does not count. */
const batchStartBytes = 12;

/** Undefined where it is another request. It has one topic: a view reads no more. */
export function readFetchRequest(frame: Buffer): FetchRequest | undefined {
  const reader = new ByteReader(frame);
  if (reader.left < 8 || reader.int16() !== fetchKey) return undefined;
  const version = reader.int16();
  if (version < versions.first || version > versions.last) return undefined;
  const correlationId = reader.int32();
  reader.skipText();
  reader.skip(4 * 4 + 1 + (version >= 7 ? 8 : 0));
  const topics = reader.list(() => {
    reader.skipText();
    return reader.list((): [number, number] => {
      const partition = reader.int32();
      if (version >= 9) reader.skip(4);
      const offset = reader.int64();
      reader.skip(version >= 5 ? 12 : 4);
      return [partition, offset];
    });
  });
  return { correlationId, version, asked: new Map(topics.flat()) };
}

/** Undefined where it is no answer of the protocol: to a login, old brokers give an empty one. */
export function readCorrelationId(frame: Buffer): number | undefined {
  return frame.length < 4 ? undefined : frame.readInt32BE(0);
}

/** What the answer to a fetch says about stretches without events. */
export function readEmptyStretches(frame: Buffer, { version, asked }: FetchRequest): EmptyStretch[] {
  const reader = new ByteReader(frame);
  reader.skip(8 + (version >= 7 ? 6 : 0));
  const stretches: EmptyStretch[] = [];
  let isFirstWithBytes = true;
  reader.list(() => {
    reader.skipText();
    reader.list(() => {
      const { partition, isUsable, end, records } = readPartition(reader, version);
      const from = asked.get(partition);
      if (isUsable && from !== undefined) {
        // What is too large to come behind the bytes of another partition is left out as if it were not there.
        const until = records.length > 0 ? endOfEmptied(records) : isFirstWithBytes ? end : undefined;
        if (until !== undefined && until > from) {
          stretches.push({ partition, from, until, hasHeaders: records.length > 0 });
        }
      }
      if (records.length > 0) isFirstWithBytes = false;
    });
  });
  return stretches;
}

function readPartition(reader: ByteReader, version: number) {
  const partition = reader.int32();
  const errorCode = reader.int16();
  const highWatermark = reader.int64();
  const lastStable = reader.int64();
  if (version >= 5) reader.skip(8);
  reader.list(() => reader.skip(16));
  // A leader that names another broker to read from brings nothing itself.
  const preferredReplica = version >= 11 ? reader.int32() : -1;
  const records = reader.take(Math.max(reader.int32(), 0));
  return {
    partition,
    isUsable: errorCode === 0 && preferredReplica === -1,
    /** What stands behind it cannot be read yet: it is not on enough brokers, or a transaction before it is open. */
    end: Math.min(highWatermark, lastStable),
    records,
  };
}

/** Behind the last batch, where all of them are empty; undefined where there is an event, or a marker, which is not for us to read. */
function endOfEmptied(records: Buffer): number | undefined {
  let until: number | undefined;
  for (let at = 0; at + batchHeaderBytes <= records.length; ) {
    const end = at + batchStartBytes + records.readInt32BE(at + 8);
    // Brokers cut the last one anywhere.
    if (end > records.length) break;
    const isEmptied = records.readInt8(at + 16) === 2 && records.readInt32BE(at + 57) === 0;
    if (!isEmptied) return undefined;
    until = Number(records.readBigInt64BE(at)) + records.readInt32BE(at + 23) + 1;
    at = end;
  }
  return until;
}
