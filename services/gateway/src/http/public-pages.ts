import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { openApiDocument } from '@whetstone/contracts';
import { Router } from 'express';

import { exchangeOf } from './exchange.js';
import { pageSecurityHeaders } from './security-headers.js';

/** What is served without a key. */
export const publicRoutes = ['/openapi.json', '/docs'] as const;

const assets = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

/** The description of the interface, and a page that shows it; all of it from this process. */
export function publicPages(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const headers = pageSecurityHeaders();
  const document = JSON.stringify(openApiDocument());
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

  router.get('/openapi.json', (_req, res) => {
    exchangeOf(res).route = '/openapi.json';
    res.setHeader('Content-Type', 'application/json');
    res.end(document);
  });
  router.get('/docs', headers, (_req, res) => {
    exchangeOf(res).route = '/docs';
    res.type('html').send(page);
  });
  router.get('/docs/start.js', headers, (_req, res) => {
    exchangeOf(res).route = '/docs';
    res.type('js').send(start);
  });
  for (const asset of assets) {
    router.get(`/docs/${asset}`, headers, (_req, res) => {
      exchangeOf(res).route = '/docs';
      res.sendFile(join(folder, asset), { maxAge: '1h' });
    });
  }
  return router;
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

const start = `SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#whetstone',
  deepLinking: true,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
});
`;
