import { readFile, writeFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';

const file = new URL('../src/openapi.ts', import.meta.url);
const head = `/* Generated from /openapi.json by \`npm run types\`. */\n\n`;

/** Errors are one class here, and no caller reads headers: without both, the types are a third as long. */
function withoutErrors(document) {
  for (const path of Object.values(document.paths)) {
    for (const operation of Object.values(path)) {
      const successes = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
      operation.responses = Object.fromEntries(
        successes.map(([status, { headers, ...response }]) => [status, response]),
      );
    }
  }
  return document;
}

const [address = 'http://127.0.0.1:8080', ...options] = process.argv.slice(2);
const answer = await fetch(`${address}/openapi.json`);
if (!answer.ok) throw new Error(`${address}/openapi.json answered ${answer.status}`);
const types = await openapiTS(withoutErrors(await answer.json()), { emptyObjectsUnknown: true });
const text = head + astToString(types);

if (!options.includes('--check')) {
  await writeFile(file, text);
} else if ((await readFile(file, 'utf8')) !== text) {
  console.error(`src/openapi.ts differs from ${address}/openapi.json: run \`npm run types -w @whetstone/client\``);
  process.exitCode = 1;
}
