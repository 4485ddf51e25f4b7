#!/usr/bin/env node
/** `npm start`: builds what has changed, then runs the server in this process, so that signals reach it. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Whetstone needs Node 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

const root = fileURLToPath(new URL('../../../', import.meta.url));
if (!existsSync(new URL('../dist/main.js', import.meta.url))) console.error('Building Whetstone for the first time …');
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
const build = spawnSync(process.execPath, [compiler, '-b', 'services/standalone', 'services/cli'], {
  cwd: root,
  stdio: 'inherit',
});
if (build.status !== 0) process.exit(build.status ?? 1);
await import('../../../packages/console/bin/build.mjs');

await import('../dist/main.js');
