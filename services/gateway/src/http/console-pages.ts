import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { gzipSync } from 'node:zlib';
import { consoleFolder } from '@whetstone/console';
import type { Logger } from '@whetstone/platform';
import type { Request, Response } from 'express';
import { consoleHeaders } from './answer.js';
import { beginPage, type PublicPages } from './public-pages.js';

/** Their names change with their content. */
const cachedForEver = 'public, max-age=31536000, immutable';

interface Page {
  type: string;
  plain: Buffer;
  packed: Buffer;
}

/**
 * `/console` and every path below it but its assets are the same page, which finds out by its address what to show. Nothing, if
 * `npm run build` has not built it.
 */
export function createConsolePages(logger: Logger): PublicPages {
  if (!existsSync(consoleFolder)) {
    logger.warn('The console is not built, so /console is not served; npm run build builds it');
    return () => false;
  }
  const page = readFileSync(new URL('index.html', consoleFolder), 'utf8');
  const folder = new URL('assets/', consoleFolder);
  const assets = new Map(
    readdirSync(folder).map((name) => [name, pageOf(extname(name), readFileSync(new URL(name, folder)))]),
  );
  // The page names its assets relative to itself, so that the console also works behind a proxy that adds a prefix.
  const pages = ['console/', '', '../'].map((base) =>
    pageOf('html', Buffer.from(page.replaceAll('./assets/', `${base}assets/`))),
  );

  return (req, res) => {
    const { path, method } = req;
    const [, first, second, third, ...more] = path.split('/');
    if (first !== 'console' || second === 'session' || (method !== 'GET' && method !== 'HEAD')) return false;
    const asset = second === 'assets' && more.length === 0 ? assets.get(third ?? '') : undefined;
    if (asset) send(req, res, asset, cachedForEver);
    else {
      const found = second === 'assets' || more.length > 0 ? undefined : pages[path.split('/').length - 2];
      if (!found) return false;
      send(req, res, found, 'no-cache');
    }
    return true;
  };
}

function pageOf(type: string, plain: Buffer): Page {
  return { type, plain, packed: gzipSync(plain, { level: 9 }) };
}

function send(req: Request, res: Response, { type, plain, packed }: Page, caching: string): void {
  const isPacked = /\bgzip\b/.test(req.headers['accept-encoding'] ?? '');
  beginPage(res, '/console', consoleHeaders)
    .type(type)
    .set({ 'Cache-Control': caching, Vary: 'Accept-Encoding', ...(isPacked && { 'Content-Encoding': 'gzip' }) })
    .send(isPacked ? packed : plain);
}
