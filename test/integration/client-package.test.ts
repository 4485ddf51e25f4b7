import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { projectFolder } from '../support/product.js';

const run = promisify(execFile);
const packageFolder = join(projectFolder, 'clients/typescript');
/** The older of the two here: whoever has a newer one can use the types, too. */
const compiler = createRequire(join(packageFolder, 'package.json')).resolve('typescript/bin/tsc');

const program = `
import { type Run, turnsFromMessages, Whetstone, WhetstoneError } from '@whetstone/client';

const whetstone = new Whetstone({ tenant: 'sky', url: 'http://127.0.0.1:1', onProblem: ({ kind }) => console.log(kind) });
const told: string = await whetstone.run('Count the stars', async (run: Run) => {
  for (const turn of turnsFromMessages([{ role: 'user', content: 'Count' }, { role: 'assistant', content: '6000' }])) run.turn(turn);
  run.turn({ inputs: { any: 'value' }, decision: 1 });
  run.succeeded = true;
  return run.task;
});
console.log(told);
try {
  const { lessons } = await whetstone.listLessons({ state: 'pending', limit: 3 });
  console.log(lessons[0]?.id);
} catch (error) {
  if (error instanceof WhetstoneError) console.log(error.code, error.retryable);
}
await whetstone.close(0);
// @ts-expect-error a tenant is needed
new Whetstone({});
// @ts-expect-error not a state
whetstone.listLessons({ state: 'lost' }).catch(() => {});
`;

const settings = {
  compilerOptions: {
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2022', 'dom'],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
  },
  files: ['program.ts'],
};

/** No types of Node, no skipped checks: what an edge runtime or a browser would compile with. */
it('the client’s package installs into an empty project, where a program compiles and runs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'whetstone-client-package-'));
  try {
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--offline', '--loglevel=error'];
    await run('npm', ['pack', ...quiet, '--pack-destination', folder], { cwd: packageFolder });
    const [archive = ''] = await readdir(folder);
    await writeFile(join(folder, 'package.json'), '{"type": "module", "private": true}');
    await writeFile(join(folder, 'program.ts'), program);
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings));
    await run('npm', ['install', ...quiet, join(folder, archive)], { cwd: folder });
    const installed = join(folder, 'node_modules/@whetstone/client');
    const files = await readdir(installed, { recursive: true });
    const compiled = await run(process.execPath, [compiler, '-p', folder]).catch((error: { stdout: string }) => error);

    expect(archive).toBe('whetstone-client-1.0.0.tgz');
    expect(files).toEqual(
      expect.arrayContaining(['README.md', 'CHANGELOG.md', 'LICENSE', 'dist/index.d.ts', 'dist/ai-sdk.js']),
    );
    expect(files.filter((file) => /test|src|tsbuildinfo|node_modules/.test(file))).toEqual([]);
    expect(JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))).not.toHaveProperty('dependencies');
    expect(compiled.stdout).toBe('');
    const { stdout } = await run(process.execPath, [join(folder, 'program.js')], { cwd: folder });
    expect(stdout.split('\n')).toEqual(
      expect.arrayContaining(['advice', 'Count the stars', 'upload', 'unreachable true']),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
