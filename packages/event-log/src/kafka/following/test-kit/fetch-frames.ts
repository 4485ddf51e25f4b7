/** Frames as a client and a broker exchange them, for tests. */

export interface FrameBatch {
  baseOffset: number;
  lastOffsetDelta?: number;
  records: number;
}

export interface FramePartition {
  partition: number;
  errorCode?: number;
  highWatermark: number;
  lastStable?: number;
  preferredReplica?: number;
  records?: Buffer;
}

export function fetchRequestFrame(version: number, correlationId: number, asked: [number, number][]): Buffer {
  const partitions = asked.map(([partition, offset]) =>
    Buffer.concat([
      int32(partition),
      ...(version >= 9 ? [int32(-1)] : []),
      int64(offset),
      ...(version >= 5 ? [int64(-1)] : []),
      int32(1024),
    ]),
  );
  return Buffer.concat([
    int16(1),
    int16(version),
    int32(correlationId),
    text('client'),
    ...[-1, 100, 1, 1024].map(int32),
    Buffer.from([1]),
    ...(version >= 7 ? [int32(0), int32(-1)] : []),
    list([Buffer.concat([text('topic'), list(partitions)])]),
    ...(version >= 7 ? [list([])] : []),
    ...(version >= 11 ? [text('')] : []),
  ]);
}

export function fetchAnswerFrame(version: number, correlationId: number, answers: FramePartition[]): Buffer {
  const partitions = answers.map(({ records = Buffer.alloc(0), ...answer }) =>
    Buffer.concat([
      int32(answer.partition),
      int16(answer.errorCode ?? 0),
      int64(answer.highWatermark),
      int64(answer.lastStable ?? answer.highWatermark),
      ...(version >= 5 ? [int64(0)] : []),
      list([Buffer.alloc(16)]),
      ...(version >= 11 ? [int32(answer.preferredReplica ?? -1)] : []),
      int32(records.length),
      records,
    ]),
  );
  return Buffer.concat([
    int32(correlationId),
    int32(0),
    ...(version >= 7 ? [int16(0), int32(0)] : []),
    list([Buffer.concat([text('topic'), list(partitions)])]),
  ]);
}

/** The header of a batch, and a byte for each of its records. */
export function batch({ baseOffset, lastOffsetDelta = 0, records }: FrameBatch): Buffer {
  const header = Buffer.alloc(61);
  header.writeBigInt64BE(BigInt(baseOffset), 0);
  header.writeInt32BE(49 + records, 8);
  header.writeInt8(2, 16);
  header.writeInt32BE(lastOffsetDelta, 23);
  header.writeInt32BE(records, 57);
  return Buffer.concat([header, Buffer.alloc(records)]);
}

/** As it is on the wire. */
export function withLength(frame: Buffer): Buffer {
  return Buffer.concat([int32(frame.length), frame]);
}

function list(items: Buffer[]): Buffer {
  return Buffer.concat([int32(items.length), ...items]);
}

function text(value: string): Buffer {
  return Buffer.concat([int16(value.length), Buffer.from(value)]);
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function int64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(value));
  return bytes;
}
