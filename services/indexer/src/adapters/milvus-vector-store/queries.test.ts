import fc from 'fast-check';

import { aName } from '../../conformance/samples.js';
import {
  collectionName,
  insightsOf,
  isIdOf,
  leaseId,
  leasesOf,
  named,
  ofCollection,
  ofJobs,
  rowsAfter,
  votesOn,
  withIds,
} from './queries.js';

const collection = 'cfa1254c29970514b_a7518c98d7aafd616eaba0f5eab90864';

describe('an expression', () => {
  it('names its collection', () => {
    for (const expression of [
      ofCollection(collection),
      insightsOf(collection),
      ofJobs(collection, ['job_1', 'job_2']),
      named(collection, [aName('one'), aName('two')]),
      leasesOf(collection),
      leaseId(collection, 'holder'),
      votesOn(collection, ['job_1/1', 'job_2/3']),
      rowsAfter(collection, undefined),
      rowsAfter(collection, `${collection}/job_1/1/0`),
      withIds([`${collection}/job_1/1/0`]),
    ]) {
      expect(expression).toContain(collection);
    }
  });

  it('cannot be built from a value that could close its quotes', () => {
    const anything = fc.string({ unit: 'binary' }).filter((value) => /["'\\\s]|[^\x20-\x7e]/.test(value));
    fc.assert(
      fc.property(anything, (value) => {
        expect(() => ofCollection(value)).toThrow('contains illegal characters');
        expect(() => collectionName(value)).toThrow('contains illegal characters');
        expect(() => ofJobs(collection, ['job_1', value])).toThrow('contains illegal characters');
        expect(() => named(collection, [aName('one'), value])).toThrow('contains illegal characters');
        expect(() => named(collection, [aName(value)])).toThrow('contains illegal characters');
        expect(() => leaseId(collection, value)).toThrow('contains illegal characters');
        expect(() => votesOn(collection, ['job_1/1', value])).toThrow('contains illegal characters');
        expect(() => votesOn(collection, [`${value}/1`])).toThrow('contains illegal characters');
        expect(isIdOf(collection, `${collection}/${value}/1/0`)).toBe(false);
        expect(rowsAfter(collection, value)).toBe(ofCollection(collection));
      }),
    );
    for (const value of ['', 'x" or id != "', "x' or 1 == 1", 'x"]) or (id in ["', 'a/b', 'é', 'x'.repeat(300)]) {
      expect(() => ofJobs(collection, [value])).toThrow('contains illegal characters');
      expect(() => named(collection, [value])).toThrow('contains illegal characters');
    }
  });
});

describe('an id', () => {
  it('belongs to the collection in its first part', () => {
    expect(isIdOf(collection, `${collection}/job-1/2026-01.a:b/0`)).toBe(true);
    for (const id of [
      'job/1/0',
      `${collection}x/job/1/0`,
      `${collection}/job/1`,
      `${collection}/job/1/x`,
      `${collection}/job/1/0/0`,
      `${collection}/job"/1/0`,
      '',
    ]) {
      expect(isIdOf(collection, id)).toBe(false);
    }
  });
});
