import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { runProgram } from '../engines/processes.js';
import { type ImageName, imageNames } from './image-specs.js';

/** From the root of the repository. */
export const dockerfilePath = 'deploy/images/Dockerfile';

export const toolNames = ['docker', 'podman', 'buildah'] as const;

export type ToolName = (typeof toolNames)[number];

export interface BuildOptions {
  help: boolean;
  images: readonly ImageName[];
  /** Detected if undefined. */
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

  --tool NAME          ${toolNames.join(', ')}; by default the first that works
  --registry NAME      prefix of the image names (localhost): NAME/whetstone-gateway
  --tag TAG            their tag (the version in package.json)
  --platform NAME      linux/amd64 or linux/arm64; by default that of the tool
  --source URL         address of the source, for the image label
  --archive DIR        also write each into DIR, as whetstone-gateway.tar, for \`docker load\` or \`ctr images import\`
  --npmrc FILE         an .npmrc, for a registry of your own
  --authorities FILE   its certificate authorities in PEM; the .npmrc then says cafile=/run/secrets/authorities`;

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

/** One image at a time: they share all stages but the last. Rejects with the first failure. */
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
    // Some tools append to an existing file.
    await rm(file, { force: true });
    await follow(tool, archiveArguments(tool, reference, file));
    say(`Written to ${file}`);
  }
}

/** The commit, marked if there are uncommitted changes; undefined outside a repository. */
async function revisionOf(root: string): Promise<string | undefined> {
  const commit = await runProgram('git', ['rev-parse', 'HEAD'], { cwd: root });
  if (!commit.ok) return undefined;
  const changes = await runProgram('git', ['status', '--porcelain'], { cwd: root });
  return `${commit.stdout.trim()}${changes.stdout.trim() === '' ? '' : '-modified'}`;
}

/** The labelled Dockerfile lies outside the context, so that the context stays unchanged. */
async function withLabels(
  root: string,
  target: string,
  labels: Readonly<Record<string, string>>,
  build: (dockerfile: string) => Promise<void>,
): Promise<void> {
  const text = await readFile(join(root, dockerfilePath), 'utf8');
  const folder = await mkdtemp(join(tmpdir(), 'whetstone-images-'));
  try {
    const dockerfile = join(folder, 'Dockerfile');
    await writeFile(dockerfile, labelTarget(text, target, labels));
    await build(dockerfile);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs the tool and shows its output. */
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
 * The Dockerfile up to the target, with the labels as its last step. Labels are written into it because not every tool
 * rebuilds an image when only an option or argument has changed.
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
  /** Name and tag of the image. */
  reference: string;
  platform: string | undefined;
  /** Build secrets: files by the ids that the Dockerfile uses. */
  secrets: Readonly<Record<string, string>>;
}

export function buildArguments(tool: ToolName, request: BuildRequest): string[] {
  const { dockerfile, context, target, reference, platform, secrets } = request;
  return [
    'build',
    // Docker caches stages by default.
    ...(tool === 'docker' ? [] : ['--layers']),
    ...['--file', dockerfile, '--target', target, '--tag', reference],
    ...(platform === undefined ? [] : ['--platform', platform]),
    ...Object.entries(secrets).flatMap(([name, file]) => ['--secret', `id=${name},src=${file}`]),
    context,
  ];
}

/** Writes an archive that `docker load` and `ctr images import` read. */
export function archiveArguments(tool: ToolName, reference: string, file: string): string[] {
  if (tool === 'buildah') return ['push', reference, `docker-archive:${file}:${reference}`];
  return ['save', ...(tool === 'podman' ? ['--format', 'docker-archive'] : []), '--output', file, reference];
}

/** The first that works: a Docker client without an engine does not. */
export async function findTool(): Promise<ToolName> {
  for (const tool of toolNames) if ((await runProgram(tool, ['info'])).ok) return tool;
  throw new Error(`None of ${toolNames.join(', ')} works here; install one of them to build images`);
}
