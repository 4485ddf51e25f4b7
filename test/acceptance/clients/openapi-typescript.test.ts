import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { createAccounts, unique } from '../../support/accounts.js';
import { projectFolder } from '../../support/product.js';
import { target } from '../../support/target.js';

const accounts = createAccounts();
const { baseUrl } = target();
/** It needs a TypeScript of its own, which the client has; what it writes is compiled by ours. */
const generator = join(packageFolder('openapi-typescript', 'clients/typescript'), 'bin/cli.js');
const compiler = join(packageFolder('typescript', 'test'), 'bin/tsc');
const strict = join(projectFolder, 'tsconfig.base.json');
const program = join(projectFolder, 'test/acceptance/clients/openapi-typescript/round.ts');

it('types that openapi-typescript generates are strict, and a client with them does a full round', async () => {
  const { key } = await accounts.open(unique('account'), ' --scope ask --scope record --scope curate --scope admin');
  // Below the project, where its packages are found.
  const folder = await mkdtemp(join(projectFolder, 'test/dist/openapi-typescript-'));
  try {
    await node(generator, `${baseUrl}/openapi.json`, '--output', join(folder, 'openapi.ts'));
    await copyFile(program, join(folder, 'round.ts'));
    const settings = { extends: strict, compilerOptions: { composite: false, types: ['node'] } };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings));
    await node(compiler, '--project', folder);
    await node(join(folder, 'round.js'), baseUrl, key);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

/** Runs a program; fails with what it printed. */
async function node(...args: string[]): Promise<void> {
  await promisify(execFile)(process.execPath, args).catch(({ message, stdout }: Error & { stdout: string }) => {
    throw new Error(`${message}\n${stdout}`);
  });
}

function packageFolder(name: string, user: string): string {
  return dirname(createRequire(join(projectFolder, user, 'package.json')).resolve(`${name}/package.json`));
}
