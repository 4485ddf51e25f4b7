import fc from 'fast-check';

import { aCollection, aName, aRow, aVector, conformanceModel } from '../../conformance/samples.js';
import type { Row } from '../../domain/ports.js';
import { splitWords } from '../../domain/words.js';
import { encodeWords, foundOf, queryWords, recordsOf, rowOf, storedDecisionOf } from './row-codec.js';

const collection = aCollection('coded');
const encode = (...rows: Row[]) => recordsOf(collection, conformanceModel.dimension, rows);

describe('a row in Milvus', () => {
  it('survives the round trip', () => {
    const row = aRow(collection, {
      jobId: 'job_1',
      attempt: '2026-a',
      ordinal: 3,
      name: aName('one'),
      intent: '漢字 🦜',
      text: 'a\0b',
    });
    const [record] = encode(row);
    const returned = { ...record, accepted_at: String(row.acceptedAt), vector: [...row.vector] };
    expect(rowOf(collection, returned)).toEqual(row);
    const { id, jobId, attempt, intent, body } = row;
    expect(foundOf(collection, returned, 0.5)).toEqual({ id, jobId, attempt, intent, body, similarity: 0.5 });
  });

  it('with a decision is about its lesson, and is read with its content', () => {
    const given = { type: 'decision', jobId: 'a'.repeat(16), ordinal: 0, intent: '', text: '' } as const;
    const row = aRow(collection, { ...given, body: '{"lesson":"x"}' });
    const [record] = encode(row);
    expect(record).toMatchObject({ about: row.jobId, intent: row.body, body: '' });
    expect(rowOf(collection, { ...record, vector: [...row.vector] })).toEqual(row);
    const { jobId, attempt, body } = row;
    expect(storedDecisionOf(record ?? {})).toEqual({ jobId, attempt, body });
  });

  it('has words only if it is an insight', () => {
    expect(encode(aRow(collection, { text: 'Some words' }))[0]).toMatchObject({ words: 'some word' });
    expect(encode(aRow(collection, { type: 'run', text: 'Some words' }))[0]).toMatchObject({ words: '' });
  });

  it('is rejected if Milvus would reject, cut or confuse it', () => {
    const refused: [Row[], string][] = [
      [[aRow(collection), aRow(collection)], 'the same id'],
      [[aRow(collection, { id: `${collection}/other/1/1` })], 'A row id must be'],
      [[aRow(aCollection('another'))], 'A row id must be'],
      [[aRow(collection, { jobId: 'a"b' })], 'A row id must be'],
      [[aRow(collection, { vector: aVector(1).subarray(1) })], '31 dimensions instead of 32'],
      [[aRow(collection, { body: 'ü'.repeat(32_768) })], 'The body of a row exceeds 65535 bytes'],
      [[aRow(collection, { text: 'x'.repeat(65_536) })], 'The text of a row'],
      [[aRow(collection, { intent: 'x'.repeat(65_536) })], 'The intent of a row'],
    ];
    for (const [rows, message] of refused) {
      expect(() => encode(...rows)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
      expect(() => encode(...rows)).toThrow(message);
    }
  });
});

describe('encoded words', () => {
  it('map words one to one to letters and digits', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const words = splitWords(text);
        const encoded = encodeWords(text, 1_000_000).split(' ').filter(Boolean);
        expect(encoded).toHaveLength(words.length);
        expect(new Set(encoded).size).toBe(new Set(words).size);
        for (const token of encoded) expect(token).toMatch(/^[a-z0-9]+$/);
      }),
    );
  });

  it('match options, identifiers and scripts without spaces like the local store does', () => {
    const document = encodeWords('find --max-depth=2 file_name 漢字検索', 1_000).split(' ');
    for (const question of ['--max', 'name', 'file_name', '字検', 'FIND']) {
      const words = queryWords(question, 10);
      expect({ question, found: words.some((word) => document.includes(word)) }).toEqual({ question, found: true });
    }
  });

  it('are dropped whole if they do not fit', () => {
    expect(encodeWords('alpha beta gamma', 10)).toBe('alpha beta');
    expect(encodeWords('alpha beta gamma', 9)).toBe('alpha');
    expect(encodeWords('漢字'.repeat(30_000), 65_535).length).toBeLessThanOrEqual(65_535);
  });

  it('of a query are distinct and limited', () => {
    expect(queryWords('table '.repeat(5_000), 10)).toEqual(['table']);
    expect(queryWords('a b c d', 2)).toEqual(['a', 'b']);
    expect(queryWords('\0 "', 2)).toEqual([]);
  });
});
