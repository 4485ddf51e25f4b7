import { type Account, createAccounts } from '../../support/accounts.js';
import { rawExchange } from '../../support/raw-http.js';
import { target } from '../../support/target.js';
import { exchange, expectProper, type RawRequest } from './raw-request.js';
import { type Steadiness, watchSteadiness } from './steadiness.js';

const { baseUrl } = target();
let account: Account;
let steadiness: Steadiness;

beforeAll(async () => {
  steadiness = await watchSteadiness();
  account = await createAccounts().open();
});

afterAll(() => steadiness.check());

const send = (request: Partial<RawRequest>) => exchange({ key: account.key, ...request });

describe('addresses', () => {
  it.each([
    ['GET /knowledge_status/%00', 404],
    ['GET /knowledge_status/%e0%a4%a', 422],
    ['GET /knowledge_status/x?wait=%e0%a4%a', 422],
    ['GET /knowledge_status/x?wait[]=1&__proto__=2', 404],
    ['GET /knowledge_status/%e0%a4%a?wait=30', 422],
    ['GET /%zz', 404],
    ['GET /%2e%2e/%2e%2e/etc/passwd', 404],
    ['GET /../../etc/passwd', 404],
    ['GET //example.com/', 404],
    ['GET /docs/../../package.json', 404],
    ['GET /docs/%2e%2e%2f%2e%2e%2fpackage.json', 404],
    ['GET /openapi.json/', 404],
    ['POST /delete_by_intent?tenant_id=%zz&intent=x', 422],
    ['POST /delete_by_intent?tenant_id=a&intent=%ff', 422],
    ['POST /delete_by_intent?tenant_id[]=a&intent=x', 422],
    ['POST /delete_by_intent?tenant_id[__proto__]=a&intent[toString]=x', 422],
    ['POST /delete_by_intent?__proto__=1&constructor=2&tenant_id=a&intent=x', 200],
    ['POST /delete_by_intent?tenant_id=a&intent=x&dry_run=perhaps', 422],
    ['POST /delete_by_intent?tenant_id=a&intent=x&similarity_threshold=%20', 422],
    ['POST /delete_by_intent?&&&=&tenant_id=a&&intent=x', 200],
    ['POST /delete_by_intent??tenant_id=a&intent=x', 422],
    ['POST /delete_by_intent?tenant_id=a&intent=a+b%20c%2b', 200],
  ])('%s is a %i', async (request, status) => {
    expectProper(await send({ line: `${request} HTTP/1.1` }), status);
  });

  it('a thousand parameters are answered', async () => {
    const many = Array.from({ length: 1000 }, (_, index) => `p${index}=${index}`).join('&');

    expectProper(await send({ line: `POST /delete_by_intent?${many}&tenant_id=a&intent=x HTTP/1.1` }), 200, 422);
  });

  it('an address of 100 KB is turned away', async () => {
    expectProper(await send({ line: `GET /${'a'.repeat(100_000)} HTTP/1.1` }), 0, 400, 404, 414, 431);
  });

  it('a whole URL and a fragment as address are answered', async () => {
    expectProper(await send({ line: 'GET http://elsewhere/ HTTP/1.1' }), 200, 400, 404);
    expectProper(await send({ line: 'GET /#fragment HTTP/1.1' }), 200, 400, 404);
    expectProper(await send({ line: 'OPTIONS * HTTP/1.1' }), 400, 404, 405);
  });
});

describe('methods and headers', () => {
  it.each(['TRACE', 'PROPFIND', 'PURGE', 'QUERY', 'LINK', 'M-SEARCH'])('%s is a 405', async (method) => {
    expectProper(await send({ line: `${method} /store_knowledge HTTP/1.1` }), 400, 405);
  });

  it('CONNECT and unheard-of methods are turned away', async () => {
    expectProper(await send({ line: 'CONNECT /store_knowledge HTTP/1.1' }), 0, 400, 404, 405);
    expectProper(await send({ line: 'FROBNICATE / HTTP/1.1' }), 0, 400, 405);
    expectProper(await send({ line: 'get / HTTP/1.1' }), 0, 400, 405);
  });

  it('HEAD has no body', async () => {
    const answer = await send({ line: 'HEAD / HTTP/1.1' });

    expect([200, 405]).toContain(answer.status);
    expect(answer.text).toBe('');
  });

  it('what is not HTTP is turned away', async () => {
    for (const noise of [
      '\r\n\r\n',
      'hello\r\n\r\n',
      '\u0016\u0003\u0001\u0002\u0000',
      'GET / HTTP/9.9\r\n\r\n',
      `${'\u0000'.repeat(1000)}\r\n\r\n`,
    ]) {
      const answer = await rawExchange(baseUrl, {
        send(write, end) {
          write(noise);
          end();
        },
      });
      expectProper(answer, 0, 400, 401, 505);
    }
  });

  it('HTTP/1.0 is answered', async () => {
    expectProper(await send({ line: 'GET / HTTP/1.0' }), 200);
  });

  it('two keys at once are no key, also if one of them is right', async () => {
    const [own, other] = [`Authorization: Bearer ${account.key}`, 'Authorization: Bearer other'];
    expectProper(await send({ line: 'GET / HTTP/1.1', headers: ['X-Api-Key: other'] }), 401);
    expectProper(await send({ line: 'GET / HTTP/1.1', headers: [other] }), 401);
    expectProper(await send({ line: 'GET / HTTP/1.1', headers: [own, other] }), 401);
    expectProper(await send({ line: 'GET / HTTP/1.1', headers: [own, own] }), 200);
  });

  it('a key of 10 KB, with control characters or without anything is no key', async () => {
    expectProper(await send({ line: 'GET / HTTP/1.1', key: `wst_${'a'.repeat(10_000)}` }), 401);
    expectProper(await send({ line: 'GET / HTTP/1.1', key: 'wst_\u0001\u0002' }), 400, 401);
    expectProper(await send({ line: 'GET / HTTP/1.1', key: 'wst_\u00e9\u00ff' }), 401);
    expectProper(await send({ line: 'GET / HTTP/1.1', key: '' }), 401);
  });

  it('200 headers and 50 KB of headers are answered or turned away', async () => {
    const many = Array.from({ length: 200 }, (_, index) => `X-${index}: ${index}`);

    expectProper(await send({ line: 'GET / HTTP/1.1', headers: many }), 200);
    expectProper(await send({ line: 'GET / HTTP/1.1', headers: [`X-Long: ${'a'.repeat(50_000)}`] }), 0, 400, 431);
  });

  it('a wish to become a WebSocket is ignored', async () => {
    const headers = ['Upgrade: websocket', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Version: 13'];

    expectProper(await send({ line: 'GET / HTTP/1.1', headers }), 200, 400, 426);
  });

  it('headers with names that mean something to JavaScript are plain headers', async () => {
    expectProper(
      await send({ line: 'GET / HTTP/1.1', headers: ['__proto__: x', 'constructor: y', 'toString: z'] }),
      200,
    );
  });
});
