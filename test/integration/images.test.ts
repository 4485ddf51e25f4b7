import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';

import {
  assembleImage,
  type ImageName,
  imageNames,
  imageSpecs,
  layers,
  mainOf,
  readSbom,
  type Sbom,
  sbomFile,
} from '@whetstone/deploy';

import { createAccounts } from '../support/accounts.js';
import { eventually } from '../support/eventually.js';
import { freePort, projectFolder, startProduct } from '../support/product.js';
import { lessons, lessonUpload } from '../support/uploads.js';

const execute = promisify(execFile);
const nobody = 'ipv4:127.0.0.1:1';
const roots = { WHETSTONE_ROOT_SECRET: 'r'.repeat(40) };
const kafka = { WHETSTONE_KAFKA_BROKERS: '127.0.0.1:1', ...roots };
const peers = { WHETSTONE_INDEXER_ADDRESS: nobody, WHETSTONE_STATUS_ADDRESS: nobody };

/** Required settings of the services of a cluster. */
const settings: Record<Exclude<ImageName, 'standalone'>, Record<string, string>> = {
  gateway: { ...kafka, ...peers, WHETSTONE_ANALYSER_ADDRESS: nobody, WHETSTONE_HTTP_PORT: '0' },
  analyser: { ...kafka, ...peers, WHETSTONE_GRPC_PORT: '0' },
  indexer: { ...roots, WHETSTONE_MILVUS_ADDRESS: '127.0.0.1:1', WHETSTONE_GRPC_PORT: '0' },
  status: { ...kafka, WHETSTONE_GRPC_PORT: '0' },
};

let folder: string;
const running: ChildProcess[] = [];

/** The contents of every image, outside the repository, so that a missing file is not found there. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whetstone-images-'));
  const machine = { platform: process.platform, architecture: process.arch };
  const sbom = await readSbom(projectFolder);
  for (const name of imageNames) {
    const parts = join(folder, `${name}-parts`);
    await assembleImage({ root: projectFolder, spec: imageSpecs[name], sbom, machine, into: parts });
    const [first, ...others] = layers.map((layer) => join(parts, layer)) as [string, ...string[]];
    for (const other of others) await cp(other, first, { recursive: true, verbatimSymlinks: true });
    await rename(first, join(folder, name));
  }
});
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('the image standalone learns and answers', async () => {
  const script = relative(projectFolder, join(folder, 'standalone', mainOf(imageSpecs.standalone)));
  const env = { ...variablesOf('standalone'), WHETSTONE_DATA: join(folder, 'run', 'data') };
  const product = await startProduct({ folder: join(folder, 'run'), script, env });
  try {
    const { client } = await createAccounts(product.target).open('acme');

    expect(await client.learn(lessonUpload('t1', lessons.logs))).toMatchObject({ status: 'completed' });
    const told = await whetstone('standalone', { WHETSTONE_DATA: product.dataFolder }, 'keys', 'list', '--json');
    expect(told).toMatchObject({ code: 0, stdout: expect.stringContaining('"account":"acme"') });
  } finally {
    await product.stop();
  }
});

it.each(imageNames)('the image %s has a bill of materials with every package in it', (name) => {
  const place = join(folder, name);
  const { components } = JSON.parse(readFileSync(join(place, sbomFile), 'utf8')) as Sbom;
  const listed = new Set(components.map((component) => component['bom-ref']));
  const packages = readdirSync(place, { recursive: true, encoding: 'utf8' })
    .filter((path) => /(^|\/)node_modules\/(@[^/]+\/)?[^/@]+\/package\.json$/.test(path))
    .map((path) => JSON.parse(readFileSync(join(place, path), 'utf8')) as { name: string; version: string });

  expect(packages.length).toBeGreaterThan(10);
  expect(packages.filter((found) => !listed.has(`${found.name}@${found.version}`))).toEqual([]);
});

it.each(['gateway', 'analyser', 'indexer', 'status'] as const)(
  'the image %s starts with the variables that it sets, and its command line has the parts of its service',
  async (name) => {
    const opsPort = await freePort();
    const data = name === 'status' ? { WHETSTONE_DATA: join(folder, 'status-data') } : {};
    const env = { ...variablesOf(name), ...settings[name], ...data, WHETSTONE_OPS_PORT: String(opsPort) };
    const child = spawn(process.execPath, [mainOf(imageSpecs[name])], { cwd: join(folder, name), env });
    running.push(child);
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk));
    const ended = new Promise<never>((_, reject) => {
      child.once('exit', () => reject(new Error(`${name} ended:\n${printed}`)));
    });
    const lives = eventually(
      async () => {
        const answer = await fetch(`http://127.0.0.1:${opsPort}/livez`).catch(() => undefined);
        return answer?.ok ? true : undefined;
      },
      { what: `${name} lives`, withinMs: 60_000 },
    );
    const [own, others] = name === 'indexer' ? [milvus, kafkaCommand] : [kafkaCommand, milvus];
    const [ofOwn, ofOthers, help] = await Promise.all([
      whetstone(name, env, ...own),
      whetstone(name, env, ...others),
      whetstone(name, {}, '--help'),
      Promise.race([lives, ended]),
    ]);

    expect(ofOwn.stderr).toMatch(/does not answer/);
    expect(ofOthers.stderr).toMatch(/^This container has no .* client.*\n$/);
    expect(help).toMatchObject({ code: 0 });
  },
);

const kafkaCommand = ['topics', 'apply'];
const milvus = ['knowledge', 'export'];

/** Whetstone variables that the Dockerfile sets in an image. */
function variablesOf(name: ImageName): Record<string, string> {
  const text = readFileSync(join(projectFolder, 'deploy/images/Dockerfile'), 'utf8');
  const stages = text.split(/^(?=FROM )/m).filter((stage) => new RegExp(`AS (?:runtime|${name})$`, 'm').test(stage));
  return Object.fromEntries(
    [...stages.join('').matchAll(/(WHETSTONE_\w+)=(\S+)/g)].map(([, variable = '', value = '']) => [variable, value]),
  );
}

async function whetstone(name: ImageName, env: Record<string, string>, ...argv: string[]) {
  const program = join(folder, name, 'bin', 'whetstone');
  const done = await execute(process.execPath, [program, ...argv], { env }).catch(
    (failure: { code: number; stdout: string; stderr: string }) => failure,
  );
  return { code: 0, ...done };
}
