import { setTimeout as sleep } from 'node:timers/promises';

import { type Account, createAccounts } from '../../support/accounts.js';
import { eventually } from '../../support/eventually.js';
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
    let sending = 0;
    let answered = 0;
    const slow = Array.from({ length: 50 }, () =>
      rawExchange(baseUrl, {
        timeoutMs: 120_000,
        async send(write, end) {
          write(
            `POST /store_knowledge HTTP/1.1\r\nHost: test\r\nX-Api-Key: ${account.key}\r\nContent-Length: 100000\r\n\r\n`,
          );
          sending += 1;
          while (!stop.signal.aborted) {
            write('{');
            await sleep(100);
          }
          end();
        },
      }).then(
        () => (answered += 1),
        () => undefined,
      ),
    );
    await eventually(() => sending === slow.length || undefined, { what: 'all slow clients have begun' });

    expect((await account.client.request('GET', '/')).status).toBe(200);
    expect(
      (await account.client.request('POST', '/enhance_task', { body: { tenant_id: 'slow', input_text: 'x' } })).status,
    ).toBe(200);
    // All of them were still at it: nobody has waited for any of them.
    expect(answered).toBe(0);

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
