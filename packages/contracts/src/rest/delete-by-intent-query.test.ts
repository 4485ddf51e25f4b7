import { readDeleteByIntentQuery } from './delete-by-intent-query.js';

const read = (more: string) => readDeleteByIntentQuery(`tenant_id=shop&intent=buy${more}`);
const problemsOf = (query: string) =>
  (readDeleteByIntentQuery(query).problems ?? []).map(({ loc, type }) => [loc.join('.'), type]);

describe('the parameters of a deletion', () => {
  it('are tenant_id and intent, with a threshold of 0.5 and no dry run', () => {
    expect(read('').body).toEqual({ tenantId: 'shop', intent: 'buy', similarityThreshold: 0.5, dryRun: false });
  });

  it('are decoded: plus is a blank, and percent signs are bytes of UTF-8', () => {
    expect(readDeleteByIntentQuery('tenant_id=a%2Bb&intent=k%C3%A4se+kaufen%00').body).toMatchObject({
      tenantId: 'a+b',
      intent: 'käse kaufen\u0000',
    });
  });

  it('that nobody knows are ignored', () => {
    expect(read('&x=1&x=2&__proto__=3&%zz=4&&=&similarity_threshold[]=7').body).toMatchObject({ intent: 'buy' });
  });

  it('are told with every problem at once', () => {
    expect(problemsOf('similarity_threshold=much&dry_run=maybe')).toEqual([
      ['query.tenant_id', 'missing'],
      ['query.intent', 'missing'],
      ['query.similarity_threshold', 'float_parsing'],
      ['query.dry_run', 'bool_parsing'],
    ]);
  });

  it.each([
    ['tenant_id=a&tenant_id=a&intent=x', 'query.tenant_id', 'string_type'],
    ['tenant_id=a&intent=x&intent=y', 'query.intent', 'string_type'],
    ['tenant_id=a&intent=x&similarity_threshold=&similarity_threshold=', 'query.similarity_threshold', 'float_type'],
    ['tenant_id=a&intent=x&dry_run=true&dry_run=false', 'query.dry_run', 'bool_type'],
    ['tenant_id=&intent=x', 'query.tenant_id', 'string_too_short'],
    [`tenant_id=${'x'.repeat(513)}&intent=x`, 'query.tenant_id', 'string_too_long'],
    ['tenant_id=a&intent=', 'query.intent', 'string_too_short'],
    ['tenant_id=a&intent=+%09', 'query.intent', 'string_too_short'],
    ['tenant_id=%zz&intent=x', 'query.tenant_id', 'string_unicode'],
    ['tenant_id=a&intent=%ff', 'query.intent', 'string_unicode'],
  ])('%s is refused', (query, ...problem) => {
    expect(problemsOf(query)).toEqual([problem]);
  });

  it.each([
    ['0', 0],
    ['1', 1],
    ['0.75', 0.75],
    ['.5', 0.5],
    ['1.', 1],
    ['1e-1', 0.1],
    ['%2B0.5', 0.5],
    ['', 0.5],
    ['null', 0.5],
  ])('similarity_threshold=%s is %d', (text, threshold) => {
    expect(read(`&similarity_threshold=${text}`).body?.similarityThreshold).toBe(threshold);
  });

  it.each([
    ['-0.1', 'greater_than_equal'],
    ['1.1', 'less_than_equal'],
    ['1e999', 'less_than_equal'],
    ['NaN', 'finite_number'],
    ['inf', 'finite_number'],
    ['-Infinity', 'finite_number'],
    ['0x1', 'float_parsing'],
    ['1_0', 'float_parsing'],
    ['0.5abc', 'float_parsing'],
    ['%20', 'float_parsing'],
    ['true', 'float_parsing'],
    ['%ff', 'float_parsing'],
  ])('similarity_threshold=%s is refused: %s', (text, type) => {
    expect(read(`&similarity_threshold=${text}`).problems).toMatchObject([{ type }]);
  });

  it.each(['true', 'TRUE', '1', 'yes', 'on', 't', 'y'])('dry_run=%s is a dry run', (text) => {
    expect(read(`&dry_run=${text}`).body?.dryRun).toBe(true);
  });

  it.each(['false', '0', 'No', 'off', 'f', 'n'])('dry_run=%s is none', (text) => {
    expect(read(`&dry_run=${text}`).body?.dryRun).toBe(false);
  });

  it.each(['', 'null', '%20true', '2'])('dry_run=%s is refused: nothing is deleted by mistake', (text) => {
    expect(read(`&dry_run=${text}`).problems).toMatchObject([{ loc: ['query', 'dry_run'], type: 'bool_parsing' }]);
  });
});
