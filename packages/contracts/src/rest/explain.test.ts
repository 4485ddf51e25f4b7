import { readEnhanceTaskQuery } from './explain.js';

it('explain is a flag', () => {
  expect(readEnhanceTaskQuery('').body).toEqual({ explain: false });
  expect(readEnhanceTaskQuery('explain=TRUE').body).toEqual({ explain: true });
  expect(readEnhanceTaskQuery('explain=0').body).toEqual({ explain: false });
  for (const query of ['explain', 'explain=why', 'explain=%ff', 'explain=1&explain=1']) {
    expect(readEnhanceTaskQuery(query).problems).toMatchObject([{ loc: ['query', 'explain'] }]);
  }
});
