import { aCollection, aRow, aVector } from '../../conformance/sample-rows.js';
import { conformanceModel } from '../../conformance/vector-store-harness.js';
import type { Row } from '../../domain/ports.js';
import { foundOf, recordsOf, rowOf } from './row-codec.js';

const collection = aCollection('coded');
const encode = (...rows: Row[]) => recordsOf(collection, conformanceModel.dimension, rows);

describe('a row on its way to Milvus', () => {
  it('comes back the same, from values as Milvus returns them', () => {
    const row = aRow(collection, { jobId: 'job_1', attempt: '2026-a', ordinal: 3, intent: '漢字 🦜', text: 'a\0b' });
    const [record] = encode(row);
    const returned = { ...record, accepted_at: String(row.acceptedAt), vector: [...row.vector] };
    expect(rowOf(collection, returned)).toEqual(row);
    const { id, jobId, attempt, intent, body } = row;
    expect(foundOf(collection, returned, 0.5)).toEqual({ id, jobId, attempt, intent, body, similarity: 0.5 });
  });

  it('has words only where it is an insight', () => {
    expect(encode(aRow(collection, { text: 'Some words' }))[0]).toMatchObject({ words: 'some word' });
    expect(encode(aRow(collection, { type: 'run', text: 'Some words' }))[0]).toMatchObject({ words: '' });
  });

  it('is refused where Milvus would refuse it, cut it or mistake it for another', () => {
    const refused: [Row[], string][] = [
      [[aRow(collection), aRow(collection)], 'the same id'],
      [[aRow(collection, { id: `${collection}/other/1/1` })], 'A row id is'],
      [[aRow(aCollection('another'))], 'A row id is'],
      [[aRow(collection, { jobId: 'a"b' })], 'A row id is'],
      [[aRow(collection, { vector: aVector(1).subarray(1) })], '31 dimensions, not 32'],
      [[aRow(collection, { body: 'ü'.repeat(32_768) })], 'The body of a row has more than 65535 bytes'],
      [[aRow(collection, { text: 'x'.repeat(65_536) })], 'The text of a row'],
      [[aRow(collection, { intent: 'x'.repeat(65_536) })], 'The intent of a row'],
    ];
    for (const [rows, message] of refused) {
      expect(() => encode(...rows)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
      expect(() => encode(...rows)).toThrow(message);
    }
  });
});
