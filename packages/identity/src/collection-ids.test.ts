import fc from 'fast-check';

import {
  accountPrefixOf,
  defaultCollectionIdOf,
  prefixOfCollection,
  workflowCollectionIdOf,
} from './collection-ids.js';

const text = fc.string({ unit: 'binary', maxLength: 40 });

describe('a collection id', () => {
  it('is a legal partition name that begins with the prefix of its account, whatever the names', () => {
    fc.assert(
      fc.property(text, text, (account, tenantId) => {
        for (const id of [defaultCollectionIdOf(account), workflowCollectionIdOf(account, tenantId)]) {
          expect(id).toMatch(/^[a-z][a-z0-9_]{0,254}$/);
          expect(id.startsWith(accountPrefixOf(account))).toBe(true);
          expect(prefixOfCollection(id)).toBe(accountPrefixOf(account));
        }
      }),
    );
  });

  it('is another one for another account or another tenant_id', () => {
    fc.assert(
      fc.property(fc.tuple(text, text), fc.tuple(text, text), (one, two) => {
        const same = one[0] === two[0] && one[1] === two[1];
        expect(workflowCollectionIdOf(...one) === workflowCollectionIdOf(...two)).toBe(same);
        expect(accountPrefixOf(one[0]) === accountPrefixOf(two[0])).toBe(one[0] === two[0]);
      }),
    );
  });

  it('of the default is reached by no tenant_id', () => {
    for (const tenantId of ['', 'default', 'acme', 'default\0acme', '\0']) {
      expect(workflowCollectionIdOf('acme', tenantId)).not.toBe(defaultCollectionIdOf('acme'));
    }
  });

  it('does not confuse an account and a tenant_id that read the same in a row', () => {
    expect(workflowCollectionIdOf('a\0b', 'c')).not.toBe(workflowCollectionIdOf('a', 'b\0c'));
  });

  it('never changes: knowledge is found by it, with whatever root secret', () => {
    expect(defaultCollectionIdOf('acme')).toBe('cfa1254c29970514b_a7518c98d7aafd616eaba0f5eab90864');
    expect(workflowCollectionIdOf('acme', 'webarena')).toBe('cfa1254c29970514b_2c1cecd059b284e77e93b6a4bb8412b9');
  });
});
