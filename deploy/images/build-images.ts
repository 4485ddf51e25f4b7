import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { runProgram } from '../engines/processes.js';
import { type ImageName, imageNames } from './image-specs.js';

export const toolNames = ['docker', 'podman', 'buildah'] as const;

export type ToolName = (typeof toolNames)[number];

export interface BuildOptions {
  help: boolean;
  images: readonly ImageName[];
  /** The one that is found where it is not said. */
  tool: ToolName | undefined;
  registry: string;
  tag: string | undefined;
  platform: string | undefined;
  source: string | undefined;
  archive: string | undefined;
  secrets: Readonly<Record<string, string>>;
}

export const buildUsage = `npm run images -- [options] [image …]

Builds the images ${imageNames.join(', ')}, or those that are named.

  --tool NAME          ${toolNames.join(', ')}; otherwise the first of them that works
  --registry NAME      what the names of the images begin with (localhost): NAME/whetstone-gateway
  --tag TAG            their tag (the version in package.json)
  --platform NAME      linux/amd64 or linux/arm64; otherwise that of the tool
  --source URL         where the source is, for a label of the images
  --archive DIR        also write each into DIR, as whetstone-gateway.tar, for \`docker load\` or \`ctr images import\`
  --npmrc FILE         an .npmrc for the packages, where they come from a registry of your own
  --authorities FILE   PEM of authorities for it; the .npmrc then says cafile=/run/secrets/authorities`;

/** Throws an Error that says what is wrong with them. */
export function parseBuildOptions(args: readonly string[]): BuildOptions {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: 'boolean', default: false },
      tool: text,
      registry: { ...text, default: 'localhost' },
      tag: text,
      platform: text,
      source: text,
      archive: text,
      npmrc: text,
      authorities: text,
    },
  });
  const { help, tool, registry, tag, platform, source, archive, npmrc, authorities } = values;
  return {
    ...{ help, registry, tag, platform, source, archive },
    images: positionals.length === 0 ? imageNames : positionals.map((name) => oneOf(imageNames, name, 'image')),
    tool: tool === undefined ? undefined : oneOf(toolNames, tool, 'tool'),
    secrets: { ...(npmrc !== undefined && { npmrc }), ...(authorities !== undefined && { authorities }) },
  };
}

function oneOf<Name extends string>(names: readonly Name[], given: string, what: string): Name {
  const found = names.find((name) => name === given);
  if (found === undefined) throw new Error(`There is no ${what} '${given}'; there is ${names.join(', ')}`);
  return found;
}

/** Builds one image after another: they share the stages before the last. Rejects with the first that fails. */
export async function buildImages(root: string, options: BuildOptions, say: (line: string) => void): Promise<void> {
  const { images, registry, platform, source, archive, secrets } = options;
  const tool = options.tool ?? (await findTool());
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  const revision = await revisionOf(root);
  const labels = {
    'org.opencontainers.image.version': version,
    ...(revision !== undefined && { 'org.opencontainers.image.revision': revision }),
    ...(source !== undefined && { 'org.opencontainers.image.source': source }),
  };
  if (archive !== undefined) await mkdir(archive, { recursive: true });
  for (const target of images) {
    const reference = `${registry}/whetstone-${target}:${options.tag ?? version}`;
    say(`Building ${reference} with ${tool} …`);
    await withLabels(root, target, labels, (dockerfile) =>
      follow(tool, buildArguments(tool, { dockerfile, context: root, target, reference, platform, secrets })),
    );
    if (archive === undefined) continue;
    const file = join(archive, `whetstone-${target}.tar`);
    // Some of the tools write to the end of what is there.
    await rm(file, { force: true });
    await follow(tool, archiveArguments(tool, reference, file));
    say(`Written to ${file}`);
  }
}

/** The commit, where it is known, and whether more than that went in. */
async function revisionOf(root: string): Promise<string | undefined> {
  const commit = await runProgram('git', ['rev-parse', 'HEAD'], { cwd: root });
  if (!commit.ok) return undefined;
  const changes = await runProgram('git', ['status', '--porcelain'], { cwd: root });
  return `${commit.stdout.trim()}${changes.stdout.trim() === '' ? '' : '-modified'}`;
}

/** Calls back with a Dockerfile that labels the target, outside of the context, so that nothing in there changes. */
async function withLabels(
  root: string,
  target: string,
  labels: Readonly<Record<string, string>>,
  build: (dockerfile: string) => Promise<void>,
): Promise<void> {
  const text = await readFile(join(root, 'deploy', 'docker', 'Dockerfile'), 'utf8');
  const folder = await mkdtemp(join(tmpdir(), 'whetstone-images-'));
  try {
    const dockerfile = join(folder, 'Dockerfile');
    await writeFile(dockerfile, labelTarget(text, target, labels));
    await build(dockerfile);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs the tool with its output for whoever waits. */
async function follow(tool: ToolName, args: readonly string[]): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    spawn(tool, args, { stdio: ['ignore', 'inherit', 'inherit'] })
      .once('error', (cause) => reject(new Error(`${tool} cannot be started: ${cause.message}`, { cause })))
      .once('exit', (code, signal) => {
        if (code === 0) resolve();
        else reject(new Error(`${tool} ${args[0]} failed (${code ?? signal})`));
      });
  });
}

/**
 * The Dockerfile as far as the target, with the labels as its last step. They stand in it as they are because not every tool labels
 * an image anew that it has built before, when only an option or an argument has another value.
 */
export function labelTarget(dockerfile: string, target: string, labels: Readonly<Record<string, string>>): string {
  const stages = dockerfile.split(/^(?=FROM )/m);
  const last = stages.findIndex((stage) => new RegExp(`^FROM .* AS ${target}$`, 'm').test(stage));
  const steps = Object.entries(labels).map(([name, value]) => `LABEL ${name}=${quote(value)}\n`);
  return `${stages
    .slice(0, last + 1)
    .join('')
    .trimEnd()}\n${steps.join('')}`;
}

function quote(value: string): string {
  return `"${value.replace(/["$\\]/g, '\\$&')}"`;
}

export interface BuildRequest {
  dockerfile: string;
  context: string;
  target: string;
  /** What the image is called afterwards, with its tag. */
  reference: string;
  platform: string | undefined;
  /** Files that are there while it is built, by the names that the Dockerfile has for them. */
  secrets: Readonly<Record<string, string>>;
}

/** The arguments that make the tool build. The three agree in what they need, and nearly in how they say it. */
export function buildArguments(tool: ToolName, request: BuildRequest): string[] {
  const { dockerfile, context, target, reference, platform, secrets } = request;
  return [
    'build',
    // Docker keeps what it has built of a stage without being told.
    ...(tool === 'docker' ? [] : ['--layers']),
    ...['--file', dockerfile, '--target', target, '--tag', reference],
    ...(platform === undefined ? [] : ['--platform', platform]),
    ...Object.entries(secrets).flatMap(([name, file]) => ['--secret', `id=${name},src=${file}`]),
    context,
  ];
}

/** The arguments that make the tool write an image into a file that `docker load` and `ctr images import` read. */
export function archiveArguments(tool: ToolName, reference: string, file: string): string[] {
  if (tool === 'buildah') return ['push', reference, `docker-archive:${file}:${reference}`];
  return ['save', ...(tool === 'podman' ? ['--format', 'docker-archive'] : []), '--output', file, reference];
}

/** The first that works here: a client of Docker alone, without an engine, does not. */
export async function findTool(): Promise<ToolName> {
  for (const tool of toolNames) if ((await runProgram(tool, ['info'])).ok) return tool;
  throw new Error(`None of ${toolNames.join(', ')} works here; one of them is needed to build images`);
}
