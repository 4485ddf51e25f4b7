import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';

import { openApiDocument } from '@whetstone/contracts';
import type { Request, Response } from 'express';
import { pageHeaders } from './answer.js';
import { exchangeOf } from './exchange.js';

export const publicRoutes = ['/openapi.json', '/docs'] as const;

const assetNames = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];
const cachedForAnHour = 'public, max-age=3600';

/** Answers requests for public pages; returns false for any other request. */
export type PublicPages = (req: Request, res: Response) => boolean;

/** `/openapi.json`, and `/docs`, which shows it. */
export function createPublicPages(): PublicPages {
  const document = JSON.stringify(openApiDocument());
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  // From memory: Express's file sender would answer ranges and preconditions with errors that are not JSON.
  const assets = new Map(assetNames.map((name) => [name, readFileSync(join(folder, name))]));

  return (req, res) => {
    const { path, method } = req;
    const isPublic = path === '/openapi.json' || path.startsWith('/docs');
    if (!isPublic || (method !== 'GET' && method !== 'HEAD')) return false;
    const name = path.slice('/docs/'.length);
    const asset = path.startsWith('/docs/') ? assets.get(name) : undefined;
    if (path === '/openapi.json') beginPage(res, '/openapi.json', pageHeaders).type('json').send(document);
    else if (path === '/docs') beginPage(res, '/docs', pageHeaders).type('html').send(page);
    else if (path === '/docs/start.js') beginPage(res, '/docs', pageHeaders).type('js').send(start);
    else if (asset)
      beginPage(res, '/docs', pageHeaders).set('Cache-Control', cachedForAnHour).type(extname(name)).send(asset);
    else return false;
    return true;
  };
}

export function beginPage(res: Response, route: string, headers: readonly string[]): Response {
  const exchange = exchangeOf(res);
  exchange.route = route;
  res.setHeader('X-Request-Id', exchange.requestId);
  for (let at = 0; at < headers.length; at += 2) res.setHeader(headers[at] as string, headers[at + 1] as string);
  return res;
}

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Whetstone</title>
    <link rel="icon" type="image/png" href="docs/favicon-32x32.png">
    <link rel="stylesheet" href="docs/swagger-ui.css">
  </head>
  <body>
    <div id="whetstone"></div>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;

/** The key survives a reload, and ends with the browser tab. */
const start = `const slot = 'whetstone-api-key';
const rememberKey = {
  statePlugins: {
    auth: {
      wrapActions: {
        authorize: (authorize) => (given) => {
          sessionStorage.setItem(slot, (given.apiKey ?? given.bearer).value);
          return authorize(given);
        },
        logout: (logout) => (names) => {
          sessionStorage.removeItem(slot);
          return logout(names);
        },
      },
    },
  },
};
const ui = SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#whetstone',
  deepLinking: true,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [rememberKey],
  onComplete() {
    const key = sessionStorage.getItem(slot);
    if (key) ui.preauthorizeApiKey('apiKey', key);
  },
});
`;
