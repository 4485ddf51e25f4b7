import { readListLessonsQuery, readTenantQuery } from './lesson-queries.js';

describe('the query of GET /lessons', () => {
  it('has defaults, and takes empty parameters for absent ones', () => {
    const usual = { tenantId: 'shop', sort: 'recent', limit: 50 };

    expect(readListLessonsQuery('tenant_id=shop').body).toEqual(usual);
    expect(readListLessonsQuery('tenant_id=shop&q=&kind=&state=&agent_type=&sort=&limit=&cursor=&x=1').body).toEqual(
      usual,
    );
  });

  it('takes everything, and sorts by relevance what it searches', () => {
    const query = 'tenant_id=a+b&q=old%20logs&kind=pitfall&state=pending&agent_type=shell&limit=200&cursor=Wy0_';

    expect(readListLessonsQuery(query).body).toEqual({
      tenantId: 'a b',
      query: 'old logs',
      kind: 'pitfall',
      state: 'pending',
      agentType: 'shell',
      sort: 'relevance',
      limit: 200,
      cursor: 'Wy0_',
    });
    expect(readListLessonsQuery('tenant_id=a&sort=harm').body).toMatchObject({ sort: 'harm' });
    expect(readListLessonsQuery('tenant_id=a&q=x&sort=relevance').body).toMatchObject({ sort: 'relevance' });
  });

  it.each([
    ['', ['tenant_id'], 'missing'],
    ['tenant_id=a&kind=habit', ['kind'], 'literal_error'],
    ['tenant_id=a&kind=%ff', ['kind'], 'literal_error'],
    ['tenant_id=a&state=new', ['state'], 'literal_error'],
    ['tenant_id=a&state=muted&state=muted', ['state'], 'string_type'],
    ['tenant_id=a&sort=best', ['sort'], 'literal_error'],
    ['tenant_id=a&sort=relevance', ['sort'], 'value_error'],
    ['tenant_id=a&q=x&sort=recent', ['sort'], 'value_error'],
    ['tenant_id=a&limit=0', ['limit'], 'greater_than_equal'],
    ['tenant_id=a&limit=201', ['limit'], 'less_than_equal'],
    ['tenant_id=a&limit=1.5', ['limit'], 'int_parsing'],
    ['tenant_id=a&limit=%ff', ['limit'], 'int_parsing'],
    ['tenant_id=a&limit=1&limit=2', ['limit'], 'int_type'],
    ['tenant_id=a&q=%20', ['q'], 'string_too_short'],
    ['tenant_id=a&q=%ff', ['q'], 'string_unicode'],
    ['tenant_id=a&q=b&q=c', ['q'], 'string_type'],
    [`tenant_id=a&q=${'x'.repeat(2001)}`, ['q'], 'string_too_long'],
    ['tenant_id=a&cursor=a%00b', ['cursor'], 'string_pattern_mismatch'],
  ])('%s is refused', (query, loc, type) => {
    expect(readListLessonsQuery(query).problems).toMatchObject([{ loc: ['query', ...loc], type }]);
  });

  it('tells all problems at once', () => {
    expect(readListLessonsQuery('kind=x&limit=x').problems).toHaveLength(3);
  });
});

it('other queries need a collection', () => {
  expect(readTenantQuery('tenant_id=shop&x=1').body).toEqual({ tenantId: 'shop' });
  expect(readTenantQuery('').problems).toMatchObject([{ loc: ['query', 'tenant_id'], type: 'missing' }]);
});
