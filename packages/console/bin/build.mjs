#!/usr/bin/env node
/** Builds the pages if their sources have changed since they were built. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
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
  const { build } = await import('esbuild-wasm');
  rmSync(built, { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: join(folder, 'app'),
    entryPoints: ['main.tsx', 'icon.svg'],
    outdir: join(built, 'assets'),
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    loader: { '.svg': 'copy' },
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    metafile: true,
  });
  writeFileSync(join(built, 'index.html'), pageWith(metafile));
  writeFileSync(join(built, 'licenses.md'), licensesOf(metafile));
  writeFileSync(stamp, digest);
}

/** The page, with the files that were built from those it names. */
function pageWith({ outputs }) {
  const addressOf = (path) => `./assets/${basename(path)}`;
  const [script, { cssBundle }] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === 'main.tsx');
  const icon = Object.keys(outputs).find((path) => path.endsWith('.svg'));
  return readFileSync(join(folder, 'app', 'index.html'), 'utf8')
    .replace('./icon.svg', addressOf(icon))
    .replace('./main.tsx', addressOf(script))
    .replace('  </head>', `    <link rel="stylesheet" href="${addressOf(cssBundle)}">\n  </head>`);
}

/** Of the packages that are part of the pages. */
function licensesOf({ inputs }) {
  const packages = Object.keys(inputs).flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  const texts = [...new Set(packages)].sort().map((path) => {
    const place = join(folder, 'app', path);
    const { name, version, license } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'));
    const file = readdirSync(place).find((each) => /^licen[cs]e/i.test(each));
    return `## ${name} ${version} (${license})\n\n${file ? readFileSync(join(place, file), 'utf8').trim() : ''}\n`;
  });
  return `# Licences of the packages in these pages\n\n${texts.join('\n')}`;
}
