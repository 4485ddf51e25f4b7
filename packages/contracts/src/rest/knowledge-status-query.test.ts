import { readKnowledgeStatusQuery } from './knowledge-status-query.js';

describe('the query of knowledge_status', () => {
  it.each([
    ['', 0],
    ['wait=0', 0],
    ['wait=20', 20],
    ['wait=30', 30],
    ['wait=%2B5', 5],
    ['other=1&other=2&wait=7', 7],
  ])('%p waits for %d seconds', (query, waitSeconds) => {
    expect(readKnowledgeStatusQuery(query)).toEqual({ body: { waitSeconds } });
  });

  it.each([
    ['wait=', 'int_parsing'],
    ['wait', 'int_parsing'],
    ['wait=null', 'int_parsing'],
    ['wait=1.5', 'int_parsing'],
    ['wait=1e1', 'int_parsing'],
    ['wait=%ff', 'int_parsing'],
    ['wait=-1', 'greater_than_equal'],
    ['wait=31', 'less_than_equal'],
    [`wait=${'9'.repeat(400)}`, 'less_than_equal'],
    ['wait=1&wait=1', 'int_type'],
  ])('%p is a problem of type %s', (query, type) => {
    expect(readKnowledgeStatusQuery(query).problems).toMatchObject([{ loc: ['query', 'wait'], type }]);
  });
});
