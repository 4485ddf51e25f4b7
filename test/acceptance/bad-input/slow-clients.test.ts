import { setTimeout as sleep } from 'node:timers/promises';

import { type Account, createAccounts } from '../../support/accounts.js';
import { rawExchange } from '../../support/raw-http.js';
import { target } from '../../support/target.js';
import { type Steadiness, watchSteadiness } from './steadiness.js';

const { baseUrl } = target();
let account: Account;
let steadiness: Steadiness;

beforeAll(async () => {
  steadiness = await watchSteadiness();
  account = await createAccounts().open();
});

afterAll(() => steadiness.check());

describe('slow and vanishing clients', () => {
  it('do not keep others waiting', async () => {
    const stop = new AbortController();
    const slow = Array.from({ length: 50 }, () =>
      rawExchange(baseUrl, {
        timeoutMs: 10_000,
        async send(write, end) {
          write(
            `POST /store_knowledge HTTP/1.1\r\nHost: test\r\nX-Api-Key: ${account.key}\r\nContent-Length: 1000\r\n\r\n`,
          );
          while (!stop.signal.aborted) {
            write('{');
            await sleep(100);
          }
          end();
        },
      }).catch(() => undefined),
    );
    await sleep(300);

    const before = performance.now();
    expect((await account.client.request('GET', '/')).status).toBe(200);
    expect(
      (await account.client.request('POST', '/enhance_task', { body: { tenant_id: 'slow', input_text: 'x' } })).status,
    ).toBe(200);
    expect(performance.now() - before).toBeLessThan(5000);

    stop.abort();
    await Promise.all(slow);
  });

  it('that vanish in the middle of a body leave nothing behind', async () => {
    await Promise.all(
      Array.from({ length: 100 }, () =>
        rawExchange(baseUrl, {
          timeoutMs: 100,
          send: (write) =>
            write(
              `POST /store_knowledge HTTP/1.1\r\nHost: test\r\nX-Api-Key: ${account.key}\r\nContent-Length: 3000000\r\n\r\n{"tenant_id":`,
            ),
        }).catch(() => undefined),
      ),
    );

    expect((await account.client.request('GET', '/')).status).toBe(200);
  });
});
