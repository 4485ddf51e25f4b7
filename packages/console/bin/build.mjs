#!/usr/bin/env node
/** Builds the pages if their sources have changed since they were built. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../', import.meta.url));
const built = join(folder, 'dist', 'app');
const stamp = join(folder, 'dist', 'app.sha256');

const sources = ['package.json', 'bin/build.mjs'].concat(
  readdirSync(join(folder, 'app'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length)),
);
const hash = createHash('sha256');
for (const path of sources.sort()) hash.update(`${path}\0`).update(readFileSync(join(folder, path)));
const digest = hash.digest('hex');

if (!existsSync(built) || !existsSync(stamp) || readFileSync(stamp, 'utf8') !== digest) {
  const { build } = await import('vite');
  await build({
    configFile: false,
    root: join(folder, 'app'),
    // Relative: the gateway may be behind a proxy that adds a prefix.
    base: './',
    logLevel: 'warn',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: built,
      emptyOutDir: true,
      target: 'es2022',
      // Files of their own, because the pages allow nothing inline.
      assetsInlineLimit: 0,
      modulePreload: false,
      license: { fileName: 'licenses.md' },
    },
  });
  writeFileSync(stamp, digest);
}
