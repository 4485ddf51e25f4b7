import { readEmptyStretches, readFetchRequest } from './fetch-messages.js';
import { batch, type FramePartition, fetchAnswerFrame, fetchRequestFrame } from './test-kit/fetch-frames.js';

describe.each([4, 5, 7, 9, 11])('a fetch of version %i', (version) => {
  it('is read with what it asks for', () => {
    const frame = fetchRequestFrame(version, 7, [
      [0, 15],
      [3, 2],
    ]);

    expect(readFetchRequest(frame)).toEqual({
      correlationId: 7,
      version,
      asked: new Map([
        [0, 15],
        [3, 2],
      ]),
    });
  });

  it('says that there is nothing up to the end where it brings no bytes', () => {
    expect(stretches({ highWatermark: 20 })).toEqual([{ partition: 0, from: 15, until: 20, hasHeaders: false }]);
  });

  it('says nothing where the end is what was asked for', () => {
    expect(stretches({ highWatermark: 15 })).toEqual([]);
  });

  it('says nothing beyond the last stable offset: what stands there may be shown later', () => {
    expect(stretches({ highWatermark: 20, lastStable: 17 })).toMatchObject([{ until: 17 }]);
  });

  it('says nothing where it brings an error', () => {
    expect(stretches({ highWatermark: 20, errorCode: 3 })).toEqual([]);
  });

  it('says nothing where it brings an event', () => {
    const records = Buffer.concat([batch({ baseOffset: 15, records: 0 }), batch({ baseOffset: 16, records: 1 })]);

    expect(stretches({ highWatermark: 20, records })).toEqual([]);
  });

  it('says that there is nothing in batches that have only their headers left, to the end of the last whole one', () => {
    const records = Buffer.concat([
      batch({ baseOffset: 14, lastOffsetDelta: 2, records: 0 }),
      batch({ baseOffset: 18, records: 0 }),
      batch({ baseOffset: 19, records: 40 }).subarray(0, 70),
    ]);

    expect(stretches({ highWatermark: 20, records })).toEqual([
      { partition: 0, from: 15, until: 19, hasHeaders: true },
    ]);
  });

  it('says nothing of a partition without bytes behind one with bytes: it may have been too large to come too', () => {
    const answers = (first: Buffer) => [
      { partition: 1, highWatermark: 9, records: first },
      { partition: 0, highWatermark: 20 },
    ];

    expect(read(answers(batch({ baseOffset: 8, records: 1 })))).toEqual([]);
    expect(read(answers(Buffer.alloc(0)))).toMatchObject([{ partition: 1 }, { partition: 0 }]);
  });

  function stretches(answer: Omit<FramePartition, 'partition'>) {
    return read([{ partition: 0, ...answer }]);
  }

  function read(answers: FramePartition[]) {
    const request = readFetchRequest(
      fetchRequestFrame(version, 7, [
        [0, 15],
        [1, 8],
      ]),
    );
    if (!request) throw new Error('The request was not read');
    return readEmptyStretches(fetchAnswerFrame(version, 7, answers), request);
  }
});

describe('an answer to a fetch', () => {
  it('says nothing where the broker names another one to read from', () => {
    const request = { correlationId: 1, version: 11, asked: new Map([[0, 15]]) };
    const answer = fetchAnswerFrame(11, 1, [{ partition: 0, highWatermark: 20, preferredReplica: 2 }]);

    expect(readEmptyStretches(answer, request)).toEqual([]);
  });
});

describe('other requests', () => {
  it.each([
    ['one of another kind', Buffer.from('0003000b00000001ffff', 'hex')],
    ['a fetch of an unknown version', Buffer.from('0001000c00000001ffff', 'hex')],
    ['what is said before one is known', Buffer.from('n,,')],
  ])('are not read: %s', (_, frame) => {
    expect(readFetchRequest(frame)).toBeUndefined();
  });
});
