import { runInNewContext } from 'node:vm';

import { call } from './test-kit/call.js';
import { gatewaysOfATest } from './test-kit/gateways-of-a-test.js';

const start = gatewaysOfATest();

describe('the public pages', () => {
  it('need no key, and take everything from this process', async () => {
    const { url } = await start();
    const page = await call(url, 'GET', '/docs');
    const document = await call(url, 'GET', '/openapi.json');
    const resources = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(
      ([, path]) => new URL(path, `${url}/docs`),
    );

    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(document.body.openapi).toMatch(/^3\.1/);
    expect(resources.map(({ origin }) => origin)).toEqual(resources.map(() => url));
    for (const { pathname } of resources) expect((await call(url, 'GET', pathname)).status).toBe(200);
    for (const outside of ['/docs/package.json', '/docs/%2e%2e/package.json', '/docs/', '/docs/x', '/openapi.json/']) {
      expect((await call(url, 'GET', outside)).status).toBe(401);
    }
  });

  it('keep the key for the next load of the page, until it is taken back', async () => {
    const { url } = await start();
    const { body: script } = await call(url, 'GET', '/docs/start.js');
    const stored = new Map<string, string>();
    const sessionStorage = {
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, value: string) => stored.set(name, value),
      removeItem: (name: string) => stored.delete(name),
    };
    function load() {
      const used: string[] = [];
      // biome-ignore lint/suspicious/noExplicitAny: what the page hands to Swagger UI
      let options: any;
      const SwaggerUIBundle = Object.assign(
        (given: unknown) => {
          options = given;
          return { preauthorizeApiKey: (scheme: string, key: string) => used.push(`${scheme} ${key}`) };
        },
        { presets: { apis: {} } },
      );
      runInNewContext(script, { SwaggerUIBundle, sessionStorage });
      options.onComplete();
      return { used, actions: options.plugins[0].statePlugins.auth.wrapActions };
    }

    load().actions.authorize(() => {})({ apiKey: { name: 'apiKey', value: 'wst_k' } });
    const second = load();
    second.actions.logout(() => {})(['apiKey']);

    expect(second.used).toEqual(['apiKey wst_k']);
    expect(load().used).toEqual([]);

    load().actions.authorize(() => {})({ bearer: { name: 'bearer', value: 'wst_b' } });
    expect(load().used).toEqual(['apiKey wst_b']);
  });

  it('can be switched off', async () => {
    const { url, key } = await start({ config: { docs: false } });

    for (const path of ['/docs', '/openapi.json', '/docs/swagger-ui.css']) {
      expect((await call(url, 'GET', path)).status).toBe(401);
      expect((await call(url, 'GET', path, { key })).status).toBe(404);
    }
  });
});

it('every answer has security headers and does not say what it is made with', async () => {
  const { url, key } = await start();
  for (const [path, status] of [
    ['/', 200],
    ['/nowhere', 404],
    ['/docs', 200],
  ] as const) {
    const answer = await call(url, 'GET', path, { key });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(answer.headers.has('x-powered-by')).toBe(false);
    expect(answer.headers.has('server')).toBe(false);
  }
});
