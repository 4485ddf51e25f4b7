import { readEraseCollectionQuery } from './erase-collection-query.js';

describe('the parameters of an erasure', () => {
  it('are the collection, twice', () => {
    expect(readEraseCollectionQuery('tenant_id=a+b&confirm=a%20b&x=1').body).toEqual({ tenantId: 'a b' });
  });

  it.each(['dry_run=true', 'dry_run=false', 'intent=x', 'similarity_threshold=0.9', 'dry%5Frun=true'])(
    '%s is refused: nothing is erased by who expects less',
    (parameter) => {
      const { problems } = readEraseCollectionQuery(`tenant_id=a&confirm=a&${parameter}`);

      expect(problems).toMatchObject([{ type: 'extra_forbidden' }]);
    },
  );
});
