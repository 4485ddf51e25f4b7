import { collectionOfUploadKey, uploadKeyOf } from './upload-keys.js';

describe('uploadKeyOf', () => {
  it('spreads the uploads of a collection over four keys that all name the collection', () => {
    const keys = Array.from({ length: 100 }, (_, index) => uploadKeyOf('c12_34', `job_${index}`));

    expect(new Set(keys).size).toBe(4);
    expect(new Set(keys.map(collectionOfUploadKey))).toEqual(new Set(['c12_34']));
  });

  it('gives a job the same key each time, so that its redelivered and replayed uploads stay in order', () => {
    expect(uploadKeyOf('c12_34', 'job_1')).toBe(uploadKeyOf('c12_34', 'job_1'));
  });
});
