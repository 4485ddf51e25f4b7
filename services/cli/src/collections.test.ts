import { defaultCollectionIdOf, workflowCollectionIdOf } from '@whetstone/identity';

import { type CollectionChoice, chosenCollections } from './collections.js';

const [acme, globex] = [defaultCollectionIdOf('acme'), defaultCollectionIdOf('globex')];
const [shop, foreignShop] = [workflowCollectionIdOf('acme', 'shop'), workflowCollectionIdOf('globex', 'shop')];
const all = [acme, globex, shop, foreignShop].sort();
const chosen = (choice: CollectionChoice) =>
  chosenCollections({ listCollections: async () => all.toReversed() }, choice);

describe('the collections that a command works on', () => {
  it('are all, or those of one account', async () => {
    expect(await chosen({})).toEqual(all);
    expect(await chosen({ account: 'acme' })).toEqual([acme, shop].sort());
    expect(await chosen({ account: 'nobody' })).toEqual([]);
  });

  it('are the one that callers of the account call so', async () => {
    expect(await chosen({ collection: 'shop', account: 'acme' })).toEqual([shop]);
    expect(await chosen({ collection: 'shop', account: 'globex' })).toEqual([foreignShop]);
    expect(await chosen({ collection: 'wst_0a1b2c3d4e5f6g7h', account: 'acme' })).toEqual([acme]);
  });

  it('are the one with an id, as exports and logs have it', async () => {
    expect(await chosen({ collection: foreignShop })).toEqual([foreignShop]);
    expect(await chosen({ collection: shop, account: 'acme' })).toEqual([shop]);
  });

  it.each<[string, CollectionChoice, string]>([
    ['a name without its account', { collection: 'shop' }, '--account'],
    ['a mistyped name', { collection: 'shpo', account: 'acme' }, 'acme has no such collection'],
    ['a name of another account', { collection: 'shop', account: 'nobody' }, 'nobody has no such collection'],
    ['an id of another account', { collection: foreignShop, account: 'acme' }, 'acme has no such collection'],
    ['an unknown id', { collection: workflowCollectionIdOf('x', 'y') }, 'No such collection exists'],
  ])('are none, and it says so, for %s', async (_, choice, message) => {
    await expect(chosen(choice)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining(message),
    });
  });
});
