import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@whetstone/platform';
import {
  readOrCreateRootSecrets,
  readRootSecrets,
  rootSecretConfigSchema,
  rootSecretsOf,
} from './root-secret-sources.js';
import { createRootSecrets } from './root-secrets.js';

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whetstone-root-'));
  file = join(folder, 'root.secret');
});
afterEach(() => rm(folder, { recursive: true }));

describe('the file of the root secret', () => {
  it('is made once, for its owner alone, and read from then on', async () => {
    const made = await readOrCreateRootSecrets(file);
    const text = await readFile(file, 'utf8');

    expect((await readOrCreateRootSecrets(file)).current.id).toEqual(made.current.id);
    expect((await readRootSecrets(file)).current.id).toEqual(made.current.id);
    expect(await readFile(file, 'utf8')).toBe(text);
    expect(text.trim()).toMatch(/^[\w-]{43}$/);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('is the same for all who make it at the same time, and nothing else is left behind', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => readOrCreateRootSecrets(file)));

    expect(new Set(all.map((roots) => roots.current.id.toString('hex'))).size).toBe(1);
    expect(await readdir(folder)).toEqual(['root.secret']);
  });

  it('holds the current root first and previous ones after it', async () => {
    const [now, before] = ['n'.repeat(40), 'b'.repeat(40)];
    await writeFile(file, `${now}\n\n${before}\n`);

    const roots = await readRootSecrets(file);

    expect(roots.current.id).toEqual(createRootSecrets(now).current.id);
    expect(roots.byId(createRootSecrets(before).current.id)).toBeDefined();
  });

  it.each(['', 'too short'])('is refused, by name, when it holds %j', async (text) => {
    await writeFile(file, text);

    await expect(readOrCreateRootSecrets(file)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: `${file} does not contain a valid root secret: A root secret needs at least 32 characters`,
    });
    expect(await readFile(file, 'utf8')).toBe(text);
  });
});

const [now, before, earlier] = ['n'.repeat(40), 'b'.repeat(40), 'e'.repeat(40)];

describe('the root secret of a cluster', () => {
  it.each([
    ['commas', `${before},${earlier}`],
    ['commas and spaces', `${before}, ${earlier} `],
    ['lines', `${before}\n${earlier}\n`],
  ])('comes with previous ones, separated by %s', (_, previous) => {
    const roots = rootsOf({ WHETSTONE_ROOT_SECRET: now, WHETSTONE_PREVIOUS_ROOT_SECRETS: previous });

    expect(roots.current.id).toEqual(idOf(now));
    for (const secret of [before, earlier]) expect(roots.byId(idOf(secret))).toBeDefined();
  });

  it('needs no previous ones', () => {
    expect(rootsOf({ WHETSTONE_ROOT_SECRET: now }).current.id).toEqual(idOf(now));
  });

  it.each([
    ['absent', {}],
    ['too short', { WHETSTONE_ROOT_SECRET: 'short' }],
    ['not to be told from two', { WHETSTONE_ROOT_SECRET: `${now},${now}` }],
  ])('is refused by name when it is %s', (_, env) => {
    expect(() => rootsOf(env)).toThrow(/\(1 error\):\n {2}- WHETSTONE_ROOT_SECRET (is required|is malformed|must)/);
  });

  it('is refused with previous ones that are too short, and none is shown', () => {
    const env = { WHETSTONE_ROOT_SECRET: now, WHETSTONE_PREVIOUS_ROOT_SECRETS: `${before},short` };

    expect(() => rootsOf(env)).toThrow(/WHETSTONE_PREVIOUS_ROOT_SECRETS is malformed: Earlier root secrets/);
    expect(() => rootsOf(env)).not.toThrow(/bbb|short/);
  });
});

function rootsOf(env: Record<string, string>) {
  return rootSecretsOf(loadConfig(rootSecretConfigSchema, env));
}

function idOf(secret: string): Buffer {
  return createRootSecrets(secret).current.id;
}
