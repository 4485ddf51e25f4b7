import { setTimeout as sleep } from 'node:timers/promises';

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

const body = '{"tenant_id":"http","input_text":"x"}';
const length = (text: string) => `Content-Length: ${Buffer.byteLength(text)}`;

describe('bodies', () => {
  it('chunked is fine, in chunks of one byte too', async () => {
    const chunks = [...body].map((letter) => `1\r\n${letter}\r\n`).join('');

    expectProper(await send({ headers: ['Transfer-Encoding: chunked'], body: `${chunks}0\r\n\r\n` }), 200);
  });

  it('chunked without an end, and then gone, is turned away', async () => {
    expectProper(
      await send({ headers: ['Transfer-Encoding: chunked'], body: `5\r\n{"ten\r\n`, end: true }),
      0,
      400,
      422,
    );
  });

  it.each([
    'zz\r\n{}\r\n0\r\n\r\n',
    '-1\r\n{}\r\n0\r\n\r\n',
    'ffffffffffffffffff\r\n{}',
    '2\r\n{}garbage\r\n0\r\n\r\n',
  ])('chunked with broken chunks is turned away: %j', async (chunks) => {
    expectProper(await send({ headers: ['Transfer-Encoding: chunked'], body: chunks, end: true }), 0, 400, 413, 422);
  });

  it.each([false, true])(
    'chunked beyond the limit is a 413, also to who reads afterwards: %s',
    async (readsAfterwards) => {
      const chunk = 'x'.repeat(64 * 1024);
      const answer = await rawExchange(baseUrl, {
        readsAfterwards,
        async send(write) {
          write(
            `POST /store_knowledge HTTP/1.1\r\nHost: test\r\nConnection: close\r\nX-Api-Key: ${account.key}\r\nTransfer-Encoding: chunked\r\n\r\n`,
          );
          for (let sent = 0; sent < 100; sent++) {
            write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
            await sleep(1);
          }
        },
      });

      expectProper(answer, 413);
    },
  );

  it('a Content-Length beyond the limit is a 413 before any of it is sent', async () => {
    expectProper(await send({ line: 'POST /store_knowledge HTTP/1.1', headers: ['Content-Length: 50000000'] }), 413);
  });

  it('a Content-Length too long for what comes, and then gone, is turned away', async () => {
    expectProper(await send({ headers: ['Content-Length: 500'], body, end: true }), 0, 400, 422);
  });

  it('a Content-Length too short is turned away', async () => {
    expectProper(await send({ headers: ['Content-Length: 10'], body }), 400, 422);
  });

  it.each(['-1', '1e3', '0x10', 'many', '5, 6', '99999999999999999999'])(
    'Content-Length: %s is turned away',
    async (value) => {
      expectProper(await send({ headers: [`Content-Length: ${value}`], body }), 0, 400, 413);
    },
  );

  it('both lengths at once are turned away', async () => {
    expectProper(await send({ headers: [length(body), 'Transfer-Encoding: chunked'], body: '0\r\n\r\n' }), 400);
  });

  it('Expect: 100-continue is fine', async () => {
    expectProper(await send({ headers: [length(body), 'Expect: 100-continue'], body }), 200);
  });

  it.each(['utf-16', 'iso-8859-1', 'nonsense'])('another charset than UTF-8 is a 415: %s', async (charset) => {
    expectProper(
      await send({ headers: [length(body), `Content-Type: application/json; charset=${charset}`], body }),
      415,
    );
  });

  it.each(['application/json;', 'application/json; charset="utf-8"', 'application/json; a=b; c="d;e"', ''])(
    'an odd Content-Type is read or refused: %j',
    async (type) => {
      expectProper(await send({ headers: [length(body), `Content-Type: ${type}`], body }), 200, 415);
    },
  );

  it('no body where one is needed is a 422', async () => {
    expectProper(await send({}), 422);
    expectProper(await send({ headers: ['Content-Length: 0'] }), 422);
  });
});
