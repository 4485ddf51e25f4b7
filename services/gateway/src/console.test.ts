import { call, callUntilRefused } from './test-kit/call.js';
import { gatewaysOfATest } from './test-kit/gateways-of-a-test.js';

const start = gatewaysOfATest();

const fromConsole = { 'x-whetstone-console': '1' };

async function signIn(url: string, key: string, headers: Record<string, string> = {}) {
  const answer = await call(url, 'POST', '/console/session', { key, headers });
  const cookie = answer.headers.get('set-cookie') ?? '';
  return { ...answer, cookie, pair: cookie.split(';')[0] ?? '' };
}

describe('a session of the console', () => {
  it('begins with a key, and is told whose it is', async () => {
    const { url, key } = await start();
    const { status, body, cookie, pair } = await signIn(url, key);

    expect(status).toBe(200);
    expect(body).toEqual({
      key_id: key.split('_')[1],
      account: 'acme',
      scopes: ['ask', 'record', 'curate'],
      expires_at: expect.stringMatching(/^\d{4}-/),
    });
    expect(cookie).toMatch(/^whetstone_session=[\w-]+; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/);
    expect(cookie).not.toContain(key.split('_')[2]);
    const look = await call(url, 'GET', '/console/session', { headers: { ...fromConsole, cookie: pair } });
    expect([look.status, look.body]).toEqual([200, body]);
  });

  it('has a cookie for HTTPS alone where the browser came by HTTPS', async () => {
    const { url, key } = await start();

    expect((await signIn(url, key, { origin: 'https://whetstone.example.org' })).cookie).toMatch(/; Secure$/);
    expect((await signIn(url, key, { 'x-forwarded-proto': 'https' })).cookie).toMatch(/; Secure$/);
    expect((await signIn(url, key, { origin: 'http://localhost:8080' })).cookie).not.toContain('Secure');
  });

  it('begins with no other key than a valid one', async () => {
    const { url, key } = await start();
    const { pair } = await signIn(url, key);

    expect((await signIn(url, `${key}x`)).status).toBe(401);
    expect((await call(url, 'POST', '/console/session')).status).toBe(401);
    // A session cannot prolong itself.
    const headers = { ...fromConsole, cookie: pair };
    expect((await call(url, 'POST', '/console/session', { headers })).status).toBe(401);
  });

  it('is good for operations only with the header of the console, from its own origin', async () => {
    const { url, key } = await start();
    const { pair } = await signIn(url, key);
    const get = (headers: Record<string, string>) => call(url, 'GET', '/', { headers: { cookie: pair, ...headers } });

    expect((await get(fromConsole)).status).toBe(200);
    expect((await get({ ...fromConsole, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    expect((await get({ ...fromConsole, cookie: `other=1; ${pair}; last=2` })).status).toBe(200);
    const refused = await get({});
    expect([refused.status, refused.body.hint]).toEqual([401, expect.stringContaining('No API key was sent')]);
    expect((await get({ ...fromConsole, 'sec-fetch-site': 'cross-site' })).status).toBe(401);
    expect((await get({ ...fromConsole, 'sec-fetch-site': 'same-site' })).status).toBe(401);
    expect((await get({ ...fromConsole, cookie: `${pair}x` })).status).toBe(401);
  });

  it('gives way to a key that is sent, valid or not', async () => {
    const { url, key } = await start();
    const { pair } = await signIn(url, key);
    const headers = { ...fromConsole, cookie: pair };

    expect((await call(url, 'GET', '/', { key: 'nonsense', headers })).status).toBe(401);
  });

  it('has the scopes of its key', async () => {
    const { url, issueKey } = await start();
    const { key } = await issueKey('acme', { scopes: ['ask'] });
    const headers = { ...fromConsole, cookie: (await signIn(url, key)).pair };

    const answer = await call(url, 'GET', '/lessons?tenant_id=a', { headers });
    expect([answer.status, answer.body.error]).toEqual([403, 'scope_missing']);
    const asked = await call(url, 'POST', '/enhance_task', { headers, body: { tenant_id: 'a', input_text: 'b' } });
    expect(asked.status).toBe(200);
  });

  it('shares the limit of its key', async () => {
    const { url, key } = await start({ config: { rate: { perSecond: 0.001, burst: 4 } } });
    const { pair, status } = await signIn(url, key);
    const headers = { ...fromConsole, cookie: pair };
    const statuses = [status];
    for (let asked = 0; asked < 4; asked++) {
      statuses.push((await call(url, 'GET', '/console/session', { headers })).status);
    }

    expect(statuses.at(-1)).toBe(429);
    expect((await call(url, 'GET', '/', { headers })).status).toBe(429);
    expect((await call(url, 'GET', '/', { key })).status).toBe(429);
    expect((await signIn(url, key)).status).toBe(429);
  });

  it('ends when its key is revoked', async () => {
    const { url, issueKey, revokeKey } = await start();
    const { key, keyId } = await issueKey('acme');
    const headers = { ...fromConsole, cookie: (await signIn(url, key)).pair };
    expect((await call(url, 'GET', '/', { headers })).status).toBe(200);

    await revokeKey(keyId);

    const answer = await callUntilRefused(url, 'GET', '/', { headers });
    expect([answer.status, answer.body.error]).toEqual([401, 'invalid_api_key']);
  });

  it('expires, whatever the browser keeps', async () => {
    const { url, key } = await start({ config: { sessionMs: 1000 } });
    const headers = { ...fromConsole, cookie: (await signIn(url, key)).pair };
    expect((await call(url, 'GET', '/', { headers })).status).toBe(200);

    expect((await callUntilRefused(url, 'GET', '/', { headers })).status).toBe(401);
  });

  it('is taken back from the browser at the end', async () => {
    const { url, key } = await start();
    const headers = { ...fromConsole, cookie: (await signIn(url, key)).pair };

    const { status, headers: answered } = await call(url, 'DELETE', '/console/session', { headers });

    expect(status).toBe(200);
    expect(answered.get('set-cookie')).toMatch(/^whetstone_session=; Path=\/; Max-Age=0;/);
  });

  it('names the default collection, as nobody else can', async () => {
    const asked: string[] = [];
    const { url, key } = await start({
      lessons: {
        listLessons: async ({ collectionId }) => {
          asked.push(collectionId);
          return { lessons: [] };
        },
      },
    });
    const headers = { ...fromConsole, cookie: (await signIn(url, key)).pair };

    expect((await call(url, 'GET', '/lessons?tenant_id=wst_default', { headers })).status).toBe(200);
    expect((await call(url, 'GET', `/lessons?tenant_id=${key}`, { key })).status).toBe(200);
    expect((await call(url, 'GET', '/lessons?tenant_id=wst_default', { key })).status).toBe(403);
    expect(asked).toHaveLength(2);
    expect(asked[0]).toBe(asked[1]);
  });

  it('is in no log line', async () => {
    const { url, key, printed } = await start();
    const { pair } = await signIn(url, key);
    await call(url, 'GET', '/lessons?tenant_id=a', { headers: { ...fromConsole, cookie: pair } });

    expect(printed()).toContain('"route":"/console/session"');
    expect(printed()).not.toContain(pair.split('=')[1]);
    expect(printed()).not.toContain(key);
  });
});

describe('the pages of the console', () => {
  it('need no key, and allow nothing inline and nothing from elsewhere', async () => {
    const { url } = await start();
    for (const path of [
      '/console',
      '/console/',
      '/console/lessons',
      '/console/lessons/q7Vx2LmZ0aTfK9_c',
      '/console/keys/audit',
    ]) {
      const page = await call(url, 'GET', path);
      const policy = page.headers.get('content-security-policy') ?? '';

      expect([path, page.status, page.headers.get('cache-control')]).toEqual([path, 200, 'no-cache']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("require-trusted-types-for 'script'");
      expect(policy).not.toMatch(/unsafe|data:|https?:/);
      expect(page.body).not.toMatch(/<script>|<style|style=|https?:\/\//);
      // Relative to the page, so that a proxy may add a prefix.
      const resources = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, to]) => new URL(to, url + path));
      expect(resources.length).toBeGreaterThan(2);
      for (const { href } of resources) {
        const asset = await call(href, 'GET', '');
        expect([href, asset.status]).toEqual([href, 200]);
        expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      }
    }
  });

  it('are packed for whoever can unpack them', async () => {
    const { url } = await start();
    const packed = await fetch(`${url}/console`, { headers: { 'accept-encoding': 'gzip, br' } });
    const plain = await fetch(`${url}/console`, { headers: { 'accept-encoding': 'identity' } });

    expect([packed.headers.get('content-encoding'), packed.headers.get('vary')]).toEqual(['gzip', 'Accept-Encoding']);
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(await packed.text()).toBe(await plain.text());
  });

  it('leave every other path as it was', async () => {
    const { url, key } = await start();

    for (const path of [
      '/consoles',
      '/console/assets/none.js',
      '/console/assets/',
      '/console/a/b/c',
      '/console/assets/..%2findex.html',
    ]) {
      expect([path, (await call(url, 'GET', path)).status]).toEqual([path, 401]);
      expect([path, (await call(url, 'GET', path, { key })).status]).toEqual([path, 404]);
    }
    expect((await call(url, 'PUT', '/console/session', { key })).status).toBe(405);
    expect((await call(url, 'HEAD', '/console')).status).toBe(200);
  });

  it('can be switched off, with their sessions', async () => {
    const { url, key } = await start({ config: { console: false } });

    expect((await call(url, 'GET', '/console')).status).toBe(401);
    expect((await call(url, 'GET', '/console', { key })).status).toBe(404);
    expect((await signIn(url, key)).status).toBe(404);
  });
});
