import { readRequests, requestCall, requestOf } from './http.js';

describe('readRequests', () => {
  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'])('reads %s', (method) => {
    expect(readRequests(`${method} /beds/7`)).toEqual([
      { kind: 'http', verb: method, object: '/beds/7', args: {}, text: `${method} /beds/7` },
    ]);
  });

  it('reads headers, and a body behind them or on the same line', () => {
    const body = { body: { row: 7 } };

    expect(readRequests('POST /beds HTTP/1.1\nHost: a.example\nX-Key: b\n\n{"row": 7}')?.[0]?.args).toEqual(body);
    expect(readRequests('POST /beds {"row": 7}')?.[0]?.args).toEqual(body);
    expect(readRequests('POST /beds\nrow=7')?.[0]?.args).toEqual({ body: 'row=7' });
  });

  it('reads the parts of an address', () => {
    expect(readRequests('GET http://a.example:80?b=1&c=2#d')).toEqual([
      expect.objectContaining({ object: '/', args: { host: 'a.example:80', query: { b: '1', c: '2' } } }),
    ]);
  });

  it('reads one after another', () => {
    const found = readRequests('GET /beds/7\n\nPUT /beds/7\n{"row": 1}\n');

    expect(found?.map(({ verb, text }) => [verb, text])).toEqual([
      ['GET', 'GET /beds/7'],
      ['PUT', 'PUT /beds/7\n{"row": 1}'],
    ]);
  });

  it.each(['get /beds', 'FETCH /beds', 'GET the beds', 'GET', 'PATCH notes\nGET /beds', ''])(
    'leaves %j alone',
    (text) => {
      expect(readRequests(text)).toBeUndefined();
    },
  );
});

describe('requestOf', () => {
  it.each(['url', 'uri', 'path', 'endpoint'])('finds the address under %s', (key) => {
    expect(requestOf({ method: 'get', [key]: '/beds' })).toEqual({
      kind: 'http',
      verb: 'GET',
      object: '/beds',
      args: {},
    });
  });

  it.each(['body', 'json', 'data', 'payload'])('finds the body under %s', (key) => {
    expect(requestOf({ method: 'PUT', url: '/beds', [key]: '{"row": 7}' })?.args).toEqual({ body: { row: 7 } });
    expect(requestOf({ method: 'PUT', url: '/beds', [key]: null })?.args).toEqual({});
  });

  it.each(['params', 'query'])('finds the query under %s', (key) => {
    expect(requestOf({ method: 'GET', url: '/beds?a=1', [key]: { b: 2 } })?.args).toEqual({ query: { a: '1', b: 2 } });
  });

  it.each([
    [{ method: 'tools/call', url: '/beds' }],
    [{ method: 'GET', url: 'the beds' }],
    [{ method: 'GET', url: '' }],
    [{ method: 'GET' }],
    [{ method: 3, url: '/beds' }],
    [{ url: '/beds' }],
  ])('finds none in %j', (args) => {
    expect(requestOf(args)).toBeUndefined();
  });
});

describe('requestCall', () => {
  it('reads calls of a client', () => {
    expect(requestCall('api.put', { 0: '/beds', 1: { row: 7 } })?.args).toEqual({ body: { row: 7 } });
    expect(requestCall('requests.post', { 0: 'https://a.example/b', json: { row: 7 }, params: { c: 1 } })).toEqual({
      kind: 'http',
      verb: 'POST',
      object: '/b',
      args: { host: 'a.example', body: { row: 7 }, query: { c: 1 } },
    });
    expect(requestCall('fetch', { 0: '/beds', 1: { method: 'DELETE' } })?.verb).toBe('DELETE');
  });

  it.each([
    ['post', { 0: '/beds' }],
    ['api.load', { 0: '/beds' }],
    ['cache.get', { 0: 'beds' }],
    ['api.get', { 0: 7 }],
    ['api.get', { 0: '/the beds' }],
    ['fetch', { 0: '/beds', 1: { cache: true } }],
  ])('takes %s of %j for no request', (verb, args) => {
    expect(requestCall(verb, args)).toBeUndefined();
  });
});
